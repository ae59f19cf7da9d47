import type { Page } from 'playwright/test';

export interface Watched {
  faults: string[];
  /** How many elements there are of the kinds that hostile text asks for, and whether it ran. */
  traces(): Promise<Record<string, number | string>>;
}

/** The page's own address, and the approve control's. */
const CONTROL = 'app-approve://holdpoint/approve.html';
const OURS = ['app://holdpoint/', 'app-approve://holdpoint/'];

/** Collects everything that must not happen. */
export async function watch(page: Page): Promise<Watched> {
  const faults: string[] = [];
  page.on('request', (request) => {
    if (!OURS.some((origin) => request.url().startsWith(origin))) faults.push(`request ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error ${error.message}`));
  page.on('framenavigated', (frame) => {
    // The approve control may come up after the page did.
    if (frame.url() !== CONTROL) faults.push(`navigated ${frame.url()}`);
  });
  await page.evaluate(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  const traces = (): Promise<Record<string, number | string>> =>
    page.evaluate(() => {
      const count = (selector: string): number => document.querySelectorAll(selector).length;
      return {
        inBody: count('body script, body style, body meta, body link'),
        embedded: count('iframe:not(#approve-control), object, embed, img, video, audio, frame'),
        drawn: count('#root svg'),
        sent: count('form[action]'),
        links: count('a[href]'),
        pwned: String((globalThis as { pwned?: unknown }).pwned ?? 'no'),
      };
    });
  return { faults, traces };
}

export const NOTHING = { inBody: 0, embedded: 0, drawn: 0, sent: 0, links: 0, pwned: 'no' };
