import type { CDPSession, Page } from 'playwright/test';
import { caseFile } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import type { Folders, Launched, LaunchOptions } from './fixture.js';
import { ask, card, select } from './reviewer.js';

/**
 * Script got into the page, as through a fault in what draws an agent's words. It is put there through the debugging
 * protocol, so that no policy of the page stops it. Nothing that it does may release a call.
 */
export interface Compromised {
  page: Page;
  app: Launched['app'];
  cdp: CDPSession;
  /** Runs as script of the page; answers with its result. */
  inject(expression: string): Promise<unknown>;
  /** As the page would propose it. */
  submission: { id: string; binding: unknown; verdicts: object[] };
}

/** A run on screen, and script in the page beside it. */
export async function compromised(
  launch: (options?: LaunchOptions) => Promise<Launched>,
  folders: Folders,
  settings: object,
): Promise<Compromised> {
  writeSettings(folders, settings);
  const { page, app } = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await select(page, 'http_request');
  const cdp = await page.context().newCDPSession(page);
  const inject = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
      expression: `(async () => { ${expression} })()`,
      awaitPromise: true,
      returnByValue: true,
    });
    return exceptionDetails
      ? { threw: exceptionDetails.exception?.description ?? exceptionDetails.text }
      : result.value;
  };
  const id = (await card(page).getAttribute('data-item-id')) ?? '';
  const seen = (await ask(page, 'run:open', id)) as {
    value: { binding: unknown; calls: { index: number; argumentsSha256: string }[] };
  };
  const verdicts = seen.value.calls.map(({ index, argumentsSha256 }) => ({
    index,
    argumentsSha256,
    verdict: 'approve',
  }));
  return { page, app, cdp, inject, submission: { id, binding: seen.value.binding, verdicts } };
}
