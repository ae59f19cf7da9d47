import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Settings } from '../../shared/settings.js';
import { type OpenAiServer, startOpenAiServer } from '../helpers/openai-server.js';
import { test as base } from './fixture.js';

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json');

/** Stands before the tool server and writes down what it is sent, byte for byte. */
const LISTEN_IN = `
const { spawn } = require('node:child_process');
const { appendFileSync } = require('node:fs');
const [log, ...command] = process.argv.slice(1);
const server = spawn(process.execPath, command, { stdio: ['pipe', 'inherit', 'inherit'] });
process.stdin.on('data', (bytes) => { appendFileSync(log, bytes); server.stdin.write(bytes); });
process.stdin.on('end', () => server.stdin.end());
server.on('exit', (code) => process.exit(code ?? 1));
`;

/** What one chat request says, as far as tests look at it. */
export interface Chat {
  model: string;
  messages: {
    role: string;
    content: string | null;
    tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[];
    tool_call_id?: string;
  }[];
  tools: { type: string; function: { name: string } }[];
}

export interface FilesWorld {
  /** Where the tool server may write. */
  folder: string;
  /** Servers, model and profile of the source "local". */
  settings: Pick<Settings, 'servers' | 'models' | 'sources'>;
  /** Every call that the tool server was sent, in order. */
  calls(): { name: string; arguments: Record<string, unknown> }[];
  model: OpenAiServer;
  chats(): Chat[];
  /** Unplugs the model: nothing listens on its port any more. */
  unplug(): Promise<void>;
  /** Something listens on the same port again. */
  plugIn(): Promise<void>;
}

/** A file server that nobody here wrote, over the Model Context Protocol, and a scripted model, both on this machine. */
export const test = base.extend<{ world: FilesWorld }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a destructured first argument
  world: async ({}, use) => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-files-')));
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-written-')));
    const log = join(home, 'sent.txt');
    let model = await startOpenAiServer();
    const { baseUrl } = model;
    const profile = { systemPrompt: 'Be brief.', model: 'model', servers: ['files'], historyLimit: 0, maxSteps: 8 };
    await use({
      folder,
      settings: {
        servers: [
          {
            kind: 'stdio',
            name: 'files',
            command: process.execPath,
            args: ['-e', LISTEN_IN, log, join(dirname(manifest), 'dist/index.js'), folder],
            env: {},
            timeoutSeconds: 20,
          },
        ],
        models: [{ kind: 'openai', name: 'model', baseUrl, model: 'test-model' }],
        sources: [{ name: 'local', wholeBatchOnly: false, profile }],
      },
      calls: () =>
        (existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [])
          .map((line) => JSON.parse(line))
          .filter((message) => message.method === 'tools/call')
          .map((message) => message.params),
      get model() {
        return model;
      },
      chats: () => model.chats().map((request) => JSON.parse(request.body)),
      unplug: () => model.close(),
      plugIn: async () => {
        model = await startOpenAiServer(Number(new URL(baseUrl).port));
      },
    });
    await model.close();
    for (const path of [home, folder]) rmSync(path, { recursive: true, force: true });
  },
});

export { expect } from './fixture.js';
