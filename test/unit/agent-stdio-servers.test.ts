import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { STDIO_LIMITS } from '../../electron/agent/stdio-transport.js';
import { makeTools, type ToolServers } from '../../electron/agent/tool-servers.js';
import type { ToolServer } from '../../shared/settings.js';
import { type Ledger, makeLedger } from '../helpers/ledger.js';

const ledgers: Ledger[] = [];
const opened: ToolServers[] = [];

function ledgerWith(options: Parameters<typeof makeLedger>[0]): Ledger {
  const ledger = makeLedger(options);
  ledgers.push(ledger);
  return ledger;
}
function toolsFor(servers: ToolServer[], more: Partial<Parameters<typeof makeTools>[0]> = {}): ToolServers {
  const tools = makeTools({ servers: () => servers, dataFolder: '/nowhere', env: process.env, ...more });
  opened.push(tools);
  return tools;
}
function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((tools) => tools.closeAll()));
  for (const ledger of ledgers.splice(0)) ledger.remove();
});

describe('reaching a tool server over stdio', () => {
  it.each(['node', './node', '../bin/node', 'sh -c node'])(
    'refuses the command %j before starting anything',
    async (command) => {
      const ledger = ledgerWith({});
      ledger.server.command = command;
      const outcome = await toolsFor([ledger.server]).open(['ledger']);
      expect(outcome).toMatchObject({ ok: false, refusal: { code: 'tool_server_unreachable' } });
      if (!outcome.ok) expect(outcome.refusal.text).toMatch(/“ledger”.*not an absolute path/);
      expect(ledger.received()).toEqual([]);
    },
  );

  it('passes arguments as they are, through no shell', async () => {
    const ledger = ledgerWith({});
    const trap = join(ledger.folder, 'trap');
    ledger.server.args.push(`; touch ${trap}`, `$(touch ${trap})`);
    expect(await toolsFor([ledger.server]).testServer('ledger')).toMatchObject({ ok: true });
    expect(existsSync(trap)).toBe(false);
  });

  it('names a missing program, an early end with its last words, and a name that the settings do not have', async () => {
    const missing: ToolServer = {
      kind: 'stdio',
      name: 'missing',
      command: '/no/such/program',
      args: [],
      env: {},
      timeoutSeconds: 5,
    };
    const early: ToolServer = {
      kind: 'stdio',
      name: 'early',
      command: process.execPath,
      args: ['-e', 'console.error("no licence found"); process.exit(3)'],
      env: {},
      timeoutSeconds: 5,
    };
    const outcome = await toolsFor([missing, early]).open(['missing', 'early', 'unnamed']);
    if (outcome.ok) throw new Error('opened');
    expect(outcome.refusal.text).toMatch(/“missing”: .*ENOENT/);
    expect(outcome.refusal.text).toMatch(/“early”: .*exit code 3.*no licence found/);
    expect(outcome.refusal.text).toMatch(/“unnamed”: the settings have no tool server of this name/);
    expect(outcome.refusal.facts['servers']).toHaveLength(3);
  });

  it('gives up on a server that never answers, and ends it', async () => {
    const ledger = ledgerWith({ env: { MUTE: '1' } });
    const outcome = await toolsFor([ledger.server], { connectMs: 1500 }).open(['ledger']);
    if (outcome.ok) throw new Error('opened');
    expect(outcome.refusal.text).toContain('no answer within 1.5 seconds');
    expect(alive(ledger.pid())).toBe(false);
  });

  it('ends the servers that came up when another did not', async () => {
    const ledger = ledgerWith({});
    const missing: ToolServer = {
      kind: 'stdio',
      name: 'missing',
      command: '/no/such/program',
      args: [],
      env: {},
      timeoutSeconds: 5,
    };
    expect((await toolsFor([ledger.server, missing]).open(['ledger', 'missing'])).ok).toBe(false);
    expect(alive(ledger.pid())).toBe(false);
  });

  it('hands over only the allow-listed environment and the rows of the settings', async () => {
    const ledger = ledgerWith({});
    const dump = join(ledger.folder, 'env.json');
    Object.assign(ledger.server.env, {
      DUMP_ENV: dump,
      MODE: 'test',
      NODE_OPTIONS: '--no-warnings',
      ld_preload: '/x.so',
      DYLD_INSERT_LIBRARIES: '/y',
    });
    const env = {
      ...process.env,
      NODE_OPTIONS: '--trace-warnings',
      ELECTRON_RUN_AS_NODE: '1',
      SECRET_TOKEN: 'abc',
      HOME: '/home/somebody',
    };
    const tested = await toolsFor([ledger.server], { env }).testServer('ledger');
    expect(tested).toMatchObject({
      ok: true,
      text: expect.stringContaining('NODE_OPTIONS, ld_preload, DYLD_INSERT_LIBRARIES'),
    });
    const seen = JSON.parse(readFileSync(dump, 'utf8'));
    expect(seen).toMatchObject({ MODE: 'test', HOME: '/home/somebody', PATH: process.env['PATH'] });
    for (const name of [
      'NODE_OPTIONS',
      'ELECTRON_RUN_AS_NODE',
      'SECRET_TOKEN',
      'ld_preload',
      'DYLD_INSERT_LIBRARIES',
    ]) {
      expect(seen).not.toHaveProperty(name);
    }
  });

  it('follows the pages of the list, carries claims, and stops at 1000 tools', async () => {
    const many = Array.from({ length: 1100 }, (_, index) => ({
      name: `tool_${index}`,
      annotations: { destructiveHint: index === 0 },
    }));
    const ledger = ledgerWith({ env: { TOOLS: JSON.stringify(many), PAGE_SIZE: '300' } });
    const tools = toolsFor([ledger.server]);
    const outcome = await tools.open(['ledger']);
    if (!outcome.ok) throw new Error(outcome.refusal.text);
    expect(outcome.value.tools).toHaveLength(1000);
    expect(outcome.value.tools[0]).toEqual({
      server: 'ledger',
      name: 'tool_0',
      description: '',
      inputSchema: '{"type":"object"}',
      claims: { destructive: true },
    });
    expect(outcome.value.tools[999]?.name).toBe('tool_999');
    expect((await tools.testServer('ledger')).text).toContain('lists more');
  });

  it('closing ends a child that ignores the end of its input and SIGTERM', async () => {
    const ledger = ledgerWith({ env: { STUBBORN: '1' } });
    const tools = toolsFor([ledger.server], { limits: { ...STDIO_LIMITS, polite: 100, term: 200 } });
    const outcome = await tools.open(['ledger']);
    if (!outcome.ok) throw new Error(outcome.refusal.text);
    const pid = ledger.pid();
    expect(alive(pid)).toBe(true);
    await tools.closeAll();
    expect(alive(pid)).toBe(false);
  });
});
