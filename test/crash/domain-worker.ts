import { createInterface } from 'node:readline';
import { makeTools } from '../../electron/agent/tool-servers.js';
import { decide, undo } from '../../electron/checkpoints/decide.js';
import { handOver } from '../../electron/checkpoints/handover.js';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { DECISIONS } from '../../electron/checkpoints/keys.js';
import { openCalls } from '../../electron/checkpoints/may-fire.js';
import { load } from '../../electron/checkpoints/records.js';
import { markInterruptedHere } from '../../electron/checkpoints/recovery.js';
import { resumeHere } from '../../electron/checkpoints/resume.js';
import { listRows } from '../../electron/checkpoints/rows.js';
import { isAlive, thisProcess } from '../../electron/identity.js';
import type { Ports } from '../../electron/ports.js';
import { openStore } from '../../electron/store/file-store.js';
import { systemClock, systemIds } from '../../electron/system-clock.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { Settings } from '../../shared/settings.js';
import { ADA, signingAs } from '../helpers/signer.js';

/**
 * A process that decides and resumes on a real store, told what to do line by line. Its tool server appends
 * one synced line a call to a ledger file. `HOLDPOINT_KILL_AT` names the point at which it ends itself without warning.
 */
const [root = '', ledger = '', name = 'worker'] = process.argv.slice(2);
const killAt = process.env['HOLDPOINT_KILL_AT'];
const store = await openStore(root, { keepAll: [DECISIONS], ballastBytes: 0 });
const settings = Settings.parse({
  reviewer: name,
  undoSeconds: 0,
  sources: [{ name: 'local', profile: { model: 'm', servers: ['ledger'] } }],
});

// A real tool server over MCP, one for the life of this process; each call is one synced line in its ledger.
const servers = makeTools({
  servers: () => [
    {
      kind: 'stdio',
      name: 'ledger',
      command: process.execPath,
      args: [process.env['HOLDPOINT_LEDGER_SERVER'] ?? ''],
      env: { LEDGER: ledger },
      timeoutSeconds: 20,
    },
  ],
  dataFolder: root,
  env: process.env,
});
const opened = await servers.open(['ledger']);
if (!opened.ok) throw new Error(opened.refusal.text);
const session = opened.value;

const ports: Ports = {
  clock: systemClock(),
  ids: systemIds(),
  settings: () => settings,
  signing: signingAs(ADA),
  process: thisProcess(name),
  isAlive: (by) => isAlive(by) === 'yes',
  at: (point) => {
    if (point === killAt) process.kill(process.pid, 'SIGKILL');
  },
  tools: {
    open: async () => ({
      ok: true,
      value: {
        tools: session.tools,
        call: async (...call) => {
          const outcome = await session.call(...call);
          if (killAt === 'tool.after-effect') process.kill(process.pid, 'SIGKILL');
          return outcome;
        },
        close: async () => undefined,
      },
    }),
  },
  models: {
    reachable: async () => ({ ok: true, value: null }),
    complete: async () => ({ kind: 'message', content: 'done', toolCalls: [], finishReason: 'stop' }),
  },
};

type Command = {
  id: number;
  act: string;
  key: SuspensionKey;
  text?: string;
  token?: string;
  verdict?: 'approve' | 'reject';
  at?: number;
  /** What is in flight may run again. */
  retry?: boolean;
};

async function run(command: Command): Promise<unknown> {
  // Both processes of a race start at the same moment.
  while (command.at !== undefined && Date.now() < command.at);
  switch (command.act) {
    case 'take': {
      const bytes = new TextEncoder().encode(command.text);
      return takeIn(store, ports.clock, {
        bytes,
        source: 'local',
        via: 'inbox',
        route: command.token === 'handed_over' ? 'handed_over' : 'here',
      });
    }
    case 'decide': {
      const loaded = await load(store, command.key);
      if (!loaded.ok) return loaded;
      const binding = {
        revision: loaded.value.revision,
        resumeStep: loaded.value.record.resumeStep,
        digest: loaded.value.head.digest,
      };
      const verdicts = openCalls(loaded.value).map((call) => ({
        index: call.index,
        argumentsSha256: call.argumentsSha256,
        verdict: command.verdict ?? ('approve' as const),
      }));
      // Nothing waits in it: it is let go on as a whole.
      const whole = verdicts.length === 0 ? { step: { verdict: command.verdict ?? ('approve' as const) } } : {};
      return decide(store, ports, {
        key: command.key,
        binding,
        verdicts,
        ...whole,
        repair: false,
        retry: command.retry ?? false,
        reviewer: { name },
      });
    }
    case 'resume':
      return resumeHere(store, ports, command.key, {
        token: ports.ids.ulid(),
        stop: new AbortController().signal,
        signal: new AbortController().signal,
      });
    case 'await':
      return handOver(store, ports, command.key, command.token ?? '');
    case 'undo':
      return undo(store, ports, command.key, name);
    case 'recover':
      return { ok: true, value: await markInterruptedHere(store) };
    case 'list':
      return { ok: true, value: await listRows(store, ports, () => null) };
    default:
      throw new Error(`unknown act ${command.act}`);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line) as Command;
  const answer = await run(command).catch((error: unknown) => ({ ok: false, fault: String(error) }));
  process.stdout.write(`${JSON.stringify({ id: command.id, answer })}\n`);
}
await servers.closeAll();
await store.close();
