/** How one kind of secret is told by its looks. Group 1 is the secret itself; what stands around it stays readable. */
export interface SecretKind {
  name: string;
  pattern: RegExp;
}

const NAME_END =
  '(?:passw(?:or)?d|passwd|pwd|passphrase|secret|token|api[_-]?key|apikey|access[_-]?key(?:[_-]?id)?|secret[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|credentials?)';

/** Formats that their issuers made to be told; then the places where secrets stand in addresses, headers and commands. */
export const SECRET_KINDS: readonly SecretKind[] = [
  {
    name: 'private key',
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----((?:(?!-----END)[\s\S])*)(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { name: 'AWS access key', pattern: /\b((?:AKIA|ASIA|AROA|AIDA|AGPA)[0-9A-Z]{16})\b/g },
  { name: 'GitHub token', pattern: /\b(gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})/g },
  { name: 'GitLab token', pattern: /\b(gl(?:pat|dt|rt|ft|cbt)-[\w-]{20,})/g },
  { name: 'Slack token', pattern: /\b(xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,})/g },
  { name: 'model provider key', pattern: /\b(sk-[A-Za-z0-9_-]{16,})/g },
  { name: 'Google key', pattern: /\b(AIza[\w-]{35})/g },
  { name: 'payment key', pattern: /\b([rs]k_(?:live|test)_[A-Za-z0-9]{16,})/g },
  { name: 'npm token', pattern: /\b(npm_[A-Za-z0-9]{36})\b/g },
  { name: 'mail service key', pattern: /\b(SG\.[\w-]{16,}\.[\w-]{16,})/g },
  { name: 'JSON web token', pattern: /\b(eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*)/g },
  { name: 'authorization', pattern: /\b(?:Bearer|Basic|Token) +((?=[^\s"'\\]*\d)[\w.~+/=-]{8,})/gi },
  // Only what stands between the name and the host: the host is never hidden.
  { name: 'password', pattern: /\b[a-z][a-z0-9+.-]*:\/\/[^\s/@:?#"'\\]*:([^\s/@?#"'\\]+)@/gi },
  { name: 'token in an address', pattern: /\b[a-z][a-z0-9+.-]*:\/\/((?=[^\s/@:]*\d)[^\s/@:?#"'\\]{20,})@/gi },
];

/** A name (group 1) and the value it gives (group 2), as JSON, settings, addresses and command lines write them. */
export const NAMED_VALUES: readonly RegExp[] = [
  /"([\w.-]{1,100})"\s*:\s*"((?:[^"\\]|\\.){1,600})"/g,
  /(?<![\w".-])(?:--)?([\w.-]{1,100})\s?=\s?["']?([^\s&;|<>`"'(){}\\,]+)/g,
  /(?<![\w"-])--([\w-]{1,100})\s+["']?([^\s&;|<>`"'(){}\\-][^\s&;|<>`"'(){}\\]*)/g,
  /^[ \t]*([\w.-]{1,100})[ \t]*:[ \t]+["']?((?:(?:Bearer|Basic|Token|Digest) +)?[^\s"'{[\\]+)/gim,
];

const SECRET_NAME = new RegExp(
  `(?:^|[_.\\s-])(?:${NAME_END}|authorization|proxy[_-]authorization|cookie|set[_-]cookie|auth|otp|pin|cvv|cvc)(?:[_-]?(?:value|text|\\d+))?$`,
);
/** Names of what a call acts on. Their values are what the reviewer decides by, and are never hidden as a whole. */
const DESTINATION =
  /(?:^|_)(?:to|cc|bcc|recipients?|path|file|filename|folder|dir(?:ectory)?|url|uri|href|endpoint|host|hostname|server|domain|address|account|iban|channel|table|database|bucket|repo(?:sitory)?|branch|query|command|cmd|script|target|name|id)$/;

const words = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

/** Does a field of this name hold a secret, whatever its value looks like? */
export function namesSecret(name: string): boolean {
  return name.length <= 200 && SECRET_NAME.test(words(name));
}

/** Does a field of this name say what is acted on? */
export function namesDestination(name: string): boolean {
  return name.length <= 200 && DESTINATION.test(words(name));
}
