/** The page's one address. Everything that compares with it goes through this file. */
export const APP_URL = 'app://holdpoint/';

/** Where the approve control may live one day: a site of its own, so that script in the page cannot reach into it. */
export const APPROVE_ORIGIN = 'app-approve://holdpoint';

function parsed(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}

/**
 * True when both have the same scheme, host and port, and neither names a user. Compared part by part, because the
 * `origin` of every custom scheme is the text "null"; never by prefix.
 */
export function isSameOrigin(url: string, other: string): boolean {
  const [a, b] = [parsed(url), parsed(other)];
  if (!a || !b) return false;
  const hasUser = [a, b].some((one) => one.username !== '' || one.password !== '');
  return !hasUser && a.protocol === b.protocol && a.host === b.host && a.host !== '';
}

/** True when a navigation to `url` is the page loading itself: its origin, its path, no query. */
export function isPage(url: string, pageUrl: string): boolean {
  if (!isSameOrigin(url, pageUrl)) return false;
  const [a, b] = [new URL(url), new URL(pageUrl)];
  return a.pathname === b.pathname && a.search === '';
}
