export interface UrlParts {
  /** As the browser would ask for it: punycode. */
  host: string;
  /** As written, when that is not the same. */
  written: string | null;
  /** Somebody's name stands in front of the host: `https://bank.example@evil.example/`. */
  userInfo: boolean;
}

/** The host of a web address that a string is, set apart; null when the string is no web address. */
export function urlParts(value: string): UrlParts | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value) || value.length > 4096) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || url.host === '') return null;
  const authority = /^[^:]+:\/\/([^/?#\\]*)/.exec(value)?.[1] ?? '';
  const written = authority.slice(authority.lastIndexOf('@') + 1);
  return {
    host: url.host,
    written: written.toLowerCase() === url.host ? null : written,
    userInfo: url.username !== '' || url.password !== '',
  };
}
