import { hostToUnicode } from '../../shared/punycode.js';
import { mixedScripts } from '../../shared/scripts.js';

export interface UrlParts {
  scheme: string;
  /** As the browser would ask for it: punycode, without the port. */
  host: string;
  /** The same as it would be read, when that is not the same. */
  unicode: string | null;
  /** Null: the scheme's own. */
  port: string | null;
  /** As written, when that is neither of the two. */
  written: string | null;
  /** Somebody's name stands in front of the host: `https://bank.example@evil.example/`. */
  userInfo: boolean;
  /** Scripts that meet in one label of the host, and do not belong together. */
  mixed: string[] | null;
  /** Anybody on the way can read and change it. */
  plain: boolean;
}

const PLAIN_SCHEMES = ['http', 'ws', 'ftp'];
const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** The host of a web address that a string is, set apart; null when the string is no web address. */
export function urlParts(value: string): UrlParts | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value) || value.length > 4096) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || url.hostname === '') return null;
  const authority = /^[^:]+:\/\/([^/?#\\]*)/.exec(value)?.[1] ?? '';
  const written = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  const { hostname: host, port } = url;
  const unicode = hostToUnicode(host);
  const scheme = url.protocol.slice(0, -1);
  const known = [host, unicode].flatMap((one) => [one, `${one}:${port}`, `${one}:443`, `${one}:80`]);
  return {
    scheme,
    host,
    unicode: unicode === host ? null : unicode,
    port: port === '' ? null : port,
    written: known.includes(written) ? null : written,
    userInfo: url.username !== '' || url.password !== '',
    mixed: unicode.split('.').reduce<string[] | null>((found, label) => found ?? mixedScripts(label), null),
    plain: PLAIN_SCHEMES.includes(scheme) && !LOCAL.test(host),
  };
}
