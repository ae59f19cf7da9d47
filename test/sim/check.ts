import type { SharedHead } from '../../electron/sync/protocol/head.js';
import { readKey } from '../../electron/sync/protocol/keys.js';
import { illegal } from '../../electron/sync/protocol/legal.js';
import { type Read, readStored } from '../../electron/sync/protocol/read.js';
import { refOf } from '../../electron/sync/protocol/record.js';
import { fateTruth } from './fate-truth.js';
import { TTL, type World } from './world.js';

export interface Violation {
  rule: 'Y1' | 'Y1b' | 'Y2' | 'Y3' | 'Y4' | 'Y5' | 'Y6' | 'Y7';
  text: string;
}

export type History = Map<string, Exclude<Read, { kind: 'absent' }>[]>;

/** Everything that stood under each head's key, in order. */
export function historyOf(world: World): History {
  const history: History = new Map();
  for (const stored of world.engine.log) {
    const key = readKey(stored.key);
    const read = readStored(stored);
    if (key.kind !== 'head' || read.kind === 'absent') continue;
    history.set(key.id, [...(history.get(key.id) ?? []), read]);
  }
  return history;
}

/** What the protocol promises, looked for in everything that happened (Y1 to Y7). */
export function check(world: World): Violation[] {
  const found: Violation[] = [];
  const history = historyOf(world);
  const add = (rule: Violation['rule'], text: string): void => {
    found.push({ rule, text });
  };
  effects(world, add);
  for (const [id, reads] of history) moves(id, reads, add);
  outboxes(world, history, add);
  for (const text of world.truth.wentBack) add('Y5', `${text} is known as it was before`);
  return found;
}

type Add = (rule: Violation['rule'], text: string) => void;

function effects({ truth }: World, add: Add): void {
  const seen = new Map<string, number>();
  for (const { id, digest, decisionId, by } of truth.effects) {
    seen.set(id, (seen.get(id) ?? 0) + 1);
    const decision = truth.decisions.get(decisionId);
    if (decision?.digest !== digest || decision.verdicts[0]?.verdict !== 'approve')
      add('Y1b', `${by} ran ${id} on ${decisionId}, which approves no such thing`);
  }
  for (const [id, times] of seen) if (times > 1 && truth.onceOnly.has(id)) add('Y1', `${id} ran ${times} times`);
}

function moves(id: string, reads: Exclude<Read, { kind: 'absent' }>[], add: Add): void {
  let before: SharedHead | null = null;
  let since = 0n;
  let gone = false;
  for (const read of reads) {
    if (read.kind === 'head') {
      const text = gone ? 'it came back after it was gone' : illegal(before, read.head);
      if (text !== null) add('Y4', `${id}: ${text}`);
      if (read.head.state === 'expired' && read.head.end === 'expired' && read.at - since < BigInt(TTL) * 1_000_000n)
        add('Y7', `${id} expired after ${(read.at - since) / 1_000_000n} ms`);
      before = read.head;
      since = read.at;
      gone = false;
      continue;
    }
    if (read.kind === 'marker' && before?.state !== 'done' && before?.state !== 'expired')
      add('Y4', `${id} was removed as ${before?.state ?? 'nothing'}`);
    before = null;
    gone = true;
  }
  if (before?.state === 'decided' || before?.state === 'claimed' || before?.state === 'blocked')
    add('Y6', `${id} is left ${before.state}`);
}

function outboxes(world: World, history: History, add: Add): void {
  for (const { laptop, decisionId } of world.truth.acknowledged.values()) {
    const disk = world.actors.find((actor) => actor.name === laptop)?.disk;
    const entry = disk?.outbox.get(decisionId);
    if (entry === undefined) {
      add('Y2', `${decisionId} was acknowledged, and is not in the outbox`);
      continue;
    }
    const isThere = world.engine.at(refOf(entry.record).key) !== null;
    if (!isThere && entry.fate.kind !== 'cannot_send') add('Y2', `${decisionId} did not reach the engine`);
    const untrue = fateTruth(entry, history.get(entry.record.id) ?? [], isThere);
    if (untrue !== null) add('Y3', `${decisionId}: ${untrue}`);
  }
}
