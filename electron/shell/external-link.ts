/** What is needed of the desktop; given as arguments so that the decision can be tested without it. */
export interface Desktop {
  /** Shows the whole address and asks; true when the person agreed. */
  confirm(url: string): Promise<boolean>;
  open(url: string): Promise<void>;
}

/** Longer than this cannot be shown whole in a dialog, so it cannot be agreed to. */
const LONGEST = 2000;

/** The address as it will be opened (host in ASCII), or null when it must not be: not https, too long, or with a user. */
export function openableLink(text: string): string | null {
  if (text.length > LONGEST || !URL.canParse(text)) return null;
  const url = new URL(text);
  const plain = url.protocol === 'https:' && url.username === '' && url.password === '';
  return plain && url.href.length <= LONGEST ? url.href : null;
}

/** The only way out of the application. Resolves true when it was opened. */
export async function openExternal(text: string, desktop: Desktop): Promise<boolean> {
  const url = openableLink(text);
  if (url === null || !(await desktop.confirm(url))) return false;
  await desktop.open(url);
  return true;
}
