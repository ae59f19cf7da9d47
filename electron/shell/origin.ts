/** The page's one address. Everything that compares with it goes through this file. */
export const APP_URL = 'app://holdpoint/';

/** Where the approve control lives: a site of its own, so that script in the page cannot reach into it. */
export const APPROVE_ORIGIN = 'app-approve://holdpoint';
export const APPROVE_URL = `${APPROVE_ORIGIN}/approve.html`;

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

/**
 * True for the approve control: the one document of its origin, not shut into a sandbox, in a frame that stands directly
 * in the page.
 */
export function isApproveControl(
  { url, origin, top, within }: { url: string; origin: string; top: boolean; within: string | null },
  pageUrl: string,
): boolean {
  if (top || within === null || !isSameOrigin(within, pageUrl)) return false;
  return isPage(url, APPROVE_URL) && isSameOrigin(origin, APPROVE_ORIGIN);
}
