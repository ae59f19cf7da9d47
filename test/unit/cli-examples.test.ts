import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DECISIONS, suspensionText } from '../../electron/checkpoints/keys.js';
import { load } from '../../electron/checkpoints/records.js';
import { openStore } from '../../electron/store/file-store.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { bundle } from '../helpers/bundle.js';
import { type Ran, runProcess } from '../helpers/cli-run.js';
import { writeKeyFile } from '../helpers/signer.js';
import { unwrap, World } from '../helpers/world.js';

const root = join(import.meta.dirname, '../..');
const hasPython = spawnSync('python3', ['--version']).status === 0;
/** Before and after each of the five calls that an agent makes: suspend, await, start, report, complete. */
const POINTS = {
  TypeScript: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  // After each command, and between the tool and its report: each step takes a process of its own here.
  Python: [2, 4, 6, 7, 8, 10],
};

let home = '';
let store: FileStore;
const built: Record<string, string> = {};

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'holdpoint-examples-'));
  mkdirSync(join(home, 'data'), { mode: 0o700 });
  writeKeyFile(join(home, 'data'));
  store = await openStore(join(home, 'data/store'), { keepAll: [DECISIONS], ballastBytes: 0 });
  for (const [name, file] of [
    ['cli', 'electron/cli.ts'],
    ['engine', 'electron/engine.ts'],
    ['agent', 'examples/agent.ts'],
  ])
    built[name ?? ''] = await bundle(join(root, file ?? ''));
  writeFileSync(join(home, 'dying-cli.sh'), DYING_CLI);
  writeFileSync(join(home, 'dying-engine.mjs'), DYING_ENGINE);
}, 240_000);
afterAll(async () => {
  await store.close();
  for (const file of Object.values(built)) rmSync(dirname(file), { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
});

/** The command line, and the death of its caller before or after the n-th command (DIE_AT, from 1; odd: before). */
const DYING_CLI = `
printf x >> "$COUNT"
nth=$(wc -c < "$COUNT")
die() { kill -9 $PPID; exit 9; }
[ "$DIE_AT" -eq $((2 * nth - 1)) ] && die
"$NODE" "$CLI" "$@" > "$COUNT.out"
code=$?
[ "$DIE_AT" -eq $((2 * nth)) ] && die
cat "$COUNT.out"
exit $code
`;

/** The engine, whose process dies before or after its n-th call in the same way. */
const DYING_ENGINE = `
import { pathToFileURL } from 'node:url';
const { openEngine: open } = await import(pathToFileURL(process.env.ENGINE).href);
let calls = 0;
const die = () => process.kill(process.pid, 'SIGKILL');
export async function openEngine(options) {
  return new Proxy(await open(options), {
    get(engine, name) {
      if (typeof engine[name] !== 'function' || name === 'close') return engine[name];
      return async (...args) => {
        const nth = ++calls;
        if (Number(process.env.DIE_AT) === 2 * nth - 1) die();
        const answer = await engine[name](...args);
        if (Number(process.env.DIE_AT) === 2 * nth) die();
        return answer;
      };
    },
  });
}
`;

interface Agent {
  /** Runs it once; `dieAt` 0: to its end. */
  run(dieAt: number): Promise<Ran>;
  state: string;
  notes: string;
}

function agent(language: 'Python' | 'TypeScript', name: string): Agent {
  const folder = join(home, `${language}-${name}`);
  mkdirSync(folder);
  const [state, notes, count] = ['state.json', 'notes', 'count'].map((file) => join(folder, file)) as [
    string,
    string,
    string,
  ];
  const env = { AGENT_STATE: state, AGENT_NOTES: notes, HOLDPOINT_DATA: join(home, 'data') };
  const [file, script] =
    language === 'Python' ? ['python3', join(root, 'examples/agent.py')] : [process.execPath, built['agent'] ?? ''];
  return {
    state,
    notes,
    run: (dieAt) => {
      rmSync(count, { force: true });
      const own = {
        DIE_AT: String(dieAt),
        COUNT: count,
        CLI: built['cli'] ?? '',
        ENGINE: built['engine'] ?? '',
        NODE: process.execPath,
        HOLDPOINT: `sh ${join(home, 'dying-cli.sh')}`,
        HOLDPOINT_ENGINE: join(home, 'dying-engine.mjs'),
      };
      return runProcess(file, [script, 'Water the plants'], { env: { ...env, ...own } });
    },
  };
}

/** A person who decides each waiting run of one agent as soon as it is there. Returns what ends the waiting. */
function reviewer(one: Agent, said: Parameters<World['decide']>[1]): () => Promise<SuspensionKey | null> {
  let over = false;
  const work = (async (): Promise<SuspensionKey | null> => {
    const world = new World({}, store);
    while (!over) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (!existsSync(one.state)) continue;
      const state = JSON.parse(readFileSync(one.state, 'utf8')) as { runId?: string; run_id?: string };
      const key: SuspensionKey = { system: 'klieo', source: 'notes', runId: state.runId ?? state.run_id ?? '', seq: 1 };
      if (!(await load(store, key)).ok) continue;
      world.now = BigInt(Date.now()) * 1_000_000n;
      unwrap(await world.decide(key, said));
      return key;
    }
    return null;
  })();
  return () => {
    over = true;
    return work;
  };
}

/** Runs an agent, killed at one point, then again until it is done; returns what the store says in the end. */
async function drive(
  one: Agent,
  dieAt: number,
  said: Parameters<World['decide']>[1],
): Promise<{ states: string[]; answer: string; runs: number }> {
  const decided = reviewer(one, said);
  let ran = await one.run(dieAt);
  let runs = 1;
  while (ran.code !== 0 && runs < 4) {
    if (dieAt === 0) throw new Error(ran.err);
    ran = await one.run(0);
    runs += 1;
  }
  if (ran.code !== 0) throw new Error(ran.err);
  const key = await decided();
  if (key === null) throw new Error('nobody decided');
  const { journal } = unwrap(await load(store, key));
  const end = journal?.journal.continuation;
  expect(existsSync(one.state)).toBe(false);
  expect(suspensionText(key)).toContain(key.runId);
  return {
    states: journal?.journal.calls.map((call) => call.state) ?? [],
    answer: end?.state === 'completed' ? end.answer : '',
    runs,
  };
}

const notesOf = (one: Agent): string[] =>
  existsSync(one.notes) ? readdirSync(one.notes).map((name) => readFileSync(join(one.notes, name), 'utf8')) : [];

if (!hasPython) console.warn('examples/agent.py is not driven: there is no python3 here');

describe.each(hasPython ? (['TypeScript', 'Python'] as const) : (['TypeScript'] as const))(
  'the example agent in %s',
  { timeout: 240_000 },
  (language) => {
    it('suspends, waits, writes one note when it may, reports and completes', async () => {
      const one = agent(language, 'approved');
      const { states, answer } = await drive(one, 0, ['approve']);
      expect(states).toEqual(['done']);
      expect(answer).toContain('The note was written:');
      expect(notesOf(one)).toEqual(['Water the plants\n']);
    });

    it('writes what the reviewer made of it', async () => {
      const one = agent(language, 'edited');
      expect((await drive(one, 0, [{ edit: '{"text":"Water the cactus"}' }])).states).toEqual(['done']);
      expect(notesOf(one)).toEqual(['Water the cactus\n']);
    });

    it('writes nothing when it may not, and tells its model why', async () => {
      const one = agent(language, 'rejected');
      const { states, answer } = await drive(one, 0, [{ reject: 'they are watered' }]);
      expect([states, answer]).toEqual([['rejected'], expect.stringContaining('they are watered')]);
      expect(notesOf(one)).toEqual([]);
    });

    it.concurrent.each(POINTS[language])('H13 killed at point %d, it goes on and writes one note', async (dieAt) => {
      const one = agent(language, `killed-${dieAt}`);
      const { states, answer, runs } = await drive(one, dieAt, ['approve']);
      expect([states, runs]).toEqual([['done'], 2]);
      expect(answer).toMatch(/^The note was written/);
      expect(notesOf(one)).toEqual(['Water the plants\n']);
    });
  },
);
