import type { Settings } from '../../shared/settings.js';
import { type Ledger, makeLedger } from '../helpers/ledger.js';
import { type OpenAiServer, startOpenAiServer } from '../helpers/openai-server.js';
import { test as base } from './fixture.js';

export interface LedgerWorld {
  /** One line for every call that really arrived. */
  ledger: Ledger;
  model: OpenAiServer;
  /** Servers, model and profile of the source "local". */
  settings: Pick<Settings, 'servers' | 'models' | 'sources'>;
}

/** A tool server that writes every call down before it answers, and a scripted model. */
export const test = base.extend<{ world: LedgerWorld }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a destructured first argument
  world: async ({}, use) => {
    const ledger = makeLedger();
    const model = await startOpenAiServer();
    const profile = { systemPrompt: '', model: 'model', servers: ['ledger'], historyLimit: 0, maxSteps: 8 };
    await use({
      ledger,
      model,
      settings: {
        servers: [ledger.server],
        models: [{ kind: 'openai', name: 'model', baseUrl: model.baseUrl, model: 'test-model' }],
        sources: [{ name: 'local', wholeBatchOnly: false, profile }],
      },
    });
    await model.close();
    ledger.remove();
  },
});

export { expect } from './fixture.js';
