import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import { klieoRecord, unwrap } from './world.js';

const TOOLS = [
  'issue_refund',
  'send_email',
  'search_kb',
  'delete_records',
  'run_shell',
  'update_record',
  'http_request',
];
const WORDS = Array.from({ length: 3000 }, (_, i) => `${'bcdfghklmnprst'[i % 14]}${'aeiou'[i % 5]}${i.toString(36)}`);
const DAY_NS = 86_400_000_000_000n;

/** The same numbers for the same place, everywhere. */
function numbersOf(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const sentence = (pick: (below: number) => number, length: number): string =>
  Array.from({ length }, () => WORDS[pick(WORDS.length)]).join(' ');

const message = (role: string, content: string): string =>
  JSON.stringify({ role, content, tool_calls: [], tool_call_id: null });

/** One record of about 2 KB: a conversation, and one to three calls; every fifth call is like many others. */
function recordAt(index: number): Uint8Array {
  const pick = numbersOf(index);
  const calls = Array.from({ length: pick(10) === 0 ? 3 : 1 }, (_, position) => {
    const args =
      index % 5 === 0 ? { query: WORDS[pick(40)] } : { to: `${WORDS[pick(3000)]}@example.com`, n: pick(1e6) };
    return { id: `c${position}`, name: TOOLS[pick(TOOLS.length)] ?? '', args: JSON.stringify(args) };
  });
  const listed = calls.map(({ id, name, args }) => `{"id":"${id}","name":"${name}","args":${args}}`).join(',');
  const said = `{"role":"assistant","content":${JSON.stringify(sentence(pick, 20))},"tool_calls":[${listed}],"tool_call_id":null}`;
  const talk = [message('user', sentence(pick, 60)), message('assistant', sentence(pick, 80)), said].join(',');
  const runId = `01K0QZ6V5M${index
    .toString(32)
    .toUpperCase()
    .replace(/[ILOU]/g, (c) => ({ I: 'W', L: 'X', O: 'Y', U: 'Z' })[c] ?? c)
    .padStart(16, '0')}`;
  const createdAt = new Date(Date.UTC(2026, 6, 20) + pick(6 * 86_400) * 1000).toISOString();
  return klieoRecord({ runId, thread: `desk-${pick(500)}`, calls, messages: talk, createdAt });
}

/**
 * A store of so many waiting runs in a folder that may be kept from one run to the next. Written without syncs: what is
 * measured with it is reading.
 */
export async function manyRuns(folder: string, count: number): Promise<void> {
  const done = join(folder, `filled-${count}`);
  if (existsSync(done)) return;
  const now = BigInt(Date.now()) * 1_000_000n;
  const store = await openStore(folder, { disk: { ...nodeDisk, fsync: () => {} }, pollMs: 2 ** 30 });
  for (let index = 0; index < count; index += 1) {
    const source = `team-${numbersOf(index)(5)}`;
    const clock = { now: () => now - (BigInt(index % 6) * DAY_NS) / 2n, monotonic: () => 0 };
    unwrap(await takeIn(store, clock, { bytes: recordAt(index), source, via: 'inbox', route: 'here' }));
  }
  await store.close();
  writeFileSync(done, '');
}
