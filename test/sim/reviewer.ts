import type { SharedRecord } from '../../electron/sync/protocol/record.js';
import { saidBy } from '../../electron/sync/protocol/said.js';
import type { SimIo } from './io-of.js';
import { decisionOn } from './records.js';
import type { Actor, World } from './world.js';

/** The person at a laptop looks at one run that is known there, and says something about it, or takes it back. */
export async function reviewOne(world: World, actor: Actor, io: SimIo): Promise<void> {
  const { chance } = world;
  const open = [...actor.disk.known].filter(
    ([, { head, problem }]) => problem === null && (head?.state === 'suspended' || head?.state === 'decided'),
  );
  const [id, known] = open[chance.below(open.length)] ?? [];
  const head = known?.head;
  if (id === undefined || !head) return;
  const said = saidBy(head.decisions);
  const sent = [...actor.disk.outbox.values()].filter((entry) => entry.record.id === id);
  const waiting = sent.filter(({ fate }) => fate.kind === 'queued');
  if (waiting.length > 0) return;
  const live = said.kind === 'nothing' ? [] : said.live;
  const mine = live.find((one) => one.by === actor.name);
  if (said.kind === 'held') {
    const all = live.map((one) => one.decisionId);
    if (world.healed || chance.is(0.5)) await decide(world, actor, io, { id, head, names: all });
  } else if (mine === undefined) {
    if (said.kind === 'nothing' || chance.is(0.25)) await decide(world, actor, io, { id, head, names: [] });
  } else if (chance.is(0.06) && !world.healed)
    await takeBack(world, actor, io, { id, digest: head.digest }, mine.decisionId);
}

type Looked = { id: string; head: Parameters<typeof decisionOn>[0]; names: string[] };

async function decide(world: World, actor: Actor, io: SimIo, { id, head, names }: Looked): Promise<void> {
  const { chance } = world;
  // One decision in a hundred is one that its author has no right to send.
  const decisionId = `${actor.name}-${chance.below(1e9)}${chance.is(0.01) && !world.healed ? '-no-right' : ''}`;
  const decision = decisionOn(head, {
    id: decisionId,
    by: actor.name,
    verdict: chance.is(0.65) ? 'approve' : 'reject',
    ...(names.length > 0 ? { supersedes: names } : {}),
  });
  world.truth.decisions.set(decisionId, decision);
  await send(world, actor, io, { v: 1, id, epoch: 0, kind: 'decision', decision }, head.digest, decisionId);
}

async function takeBack(
  world: World,
  actor: Actor,
  io: SimIo,
  { id, digest }: { id: string; digest: string },
  decisionId: string,
): Promise<void> {
  const own = `${actor.name}-back-${world.chance.below(1e9)}`;
  const record: SharedRecord = {
    v: 1,
    id,
    epoch: 0,
    kind: 'taken_back',
    decisionId: own,
    by: actor.name,
    at: '2026-05-01T10:00:00Z',
    names: [decisionId],
  };
  await send(world, actor, io, record, digest, own);
}

/** Only when its record is durable is it said to be queued. */
export async function send(
  world: World,
  actor: Actor,
  io: SimIo,
  record: SharedRecord,
  digest: string,
  decisionId: string,
): Promise<void> {
  const toldBy = actor.disk.known.get(record.id)?.revision ?? 0;
  await io.files.addToOutbox({ v: 1, record, digest, phase: 'queued', fate: { kind: 'queued' }, toldBy });
  world.truth.acknowledged.set(decisionId, { laptop: actor.name, decisionId });
}
