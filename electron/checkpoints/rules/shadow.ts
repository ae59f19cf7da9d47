import { z } from 'zod';
import type { Decision, SuspensionKey } from '../../../shared/decision.js';
import type { Rule, RuleFigures } from '../../../shared/rule.js';
import type { Ports } from '../../ports.js';
import type { KvStore } from '../../store/contract.js';
import { mayAskFor, readHeadMeta } from '../head.js';
import { DECISIONS, HEADS, parseSuspension, RULE_SHADOW, suspensionText } from '../keys.js';
import { maySpeakOf } from '../may-answer.js';
import { readDecisionMeta } from '../meta.js';
import { load } from '../records.js';
import { ruledCall } from './answer.js';
import { ruleFacts } from './facts.js';
import { speaksOf } from './match.js';

/** What a person said to the calls of one suspension that a rule speaks of, kept in the index: counts of calls. */
const Counted = z.strictObject({ id: z.string(), a: z.number().int(), e: z.number().int(), r: z.number().int() });

/** Decisions that are looked at when a rule is made, so that it is held against what was decided before. */
const MOST_LOOKED_AT = 5000;

const entryKey = (rule: string, key: SuspensionKey): string => `${rule}:${suspensionText(key)}`;

/**
 * Holds what a person decided against the rules, and notes it for each rule that speaks of one of the calls. The same
 * decision noted twice counts once; one that was taken back counts no more. What a rule decided says nothing of it.
 */
export async function noteDecision(
  store: KvStore,
  ports: Pick<Ports, 'settings' | 'listed'>,
  rules: readonly Rule[],
  key: SuspensionKey,
): Promise<void> {
  const ofTool = await rulesFor(store, rules, key);
  if (ofTool.length === 0) return;
  const loaded = await load(store, key);
  if (!loaded.ok || loaded.value.decision.kind !== 'decision') return;
  const { decision } = loaded.value.decision;
  const facts = ruleFacts(loaded.value, ports);
  for (const rule of ofTool) {
    const calls = (loaded.value.record.pending ?? []).filter((call) => {
      const ruled = ruledCall(key.source, call, ports);
      // Where nobody has asked the servers yet, the rule's own is taken for the one.
      const server = ruled.server === undefined ? rule.server : ruled.server;
      return speaksOf(rule, { ...ruled, server }) && maySpeakOf(call.name, facts).ok;
    });
    const counted = countOf(
      decision,
      calls.map(({ index }) => index),
    );
    await keep(store, entryKey(rule.id, key), counted);
  }
}

function countOf(decision: Decision, calls: readonly number[]): z.infer<typeof Counted> | null {
  if (decision.withdrawn || decision.rules) return null;
  const said = decision.verdicts.filter(({ index }) => calls.includes(index));
  const approved = said.filter(({ verdict }) => verdict === 'approve');
  const edited = approved.filter(({ editedArguments }) => editedArguments !== undefined).length;
  const rejected = said.filter(({ verdict }) => verdict === 'reject').length;
  return said.length === 0 ? null : { id: decision.decisionId, a: approved.length - edited, e: edited, r: rejected };
}

async function keep(store: KvStore, key: string, counted: z.infer<typeof Counted> | null): Promise<void> {
  const before = await store.head(RULE_SHADOW, key);
  const meta = counted === null ? '' : JSON.stringify(counted);
  if (before && !before.deleted && before.meta === meta) return;
  if (counted !== null) await store.put(RULE_SHADOW, key, new TextEncoder().encode(meta), { meta, payloads: [] });
  else if (before && !before.deleted) await store.delete(RULE_SHADOW, key);
}

/** Rules whose source and tool stand in the head of a suspension: no record is read for the others. */
async function rulesFor(store: KvStore, rules: readonly Rule[], key: SuspensionKey): Promise<Rule[]> {
  const ofSource = rules.filter(({ source }) => source === key.source);
  if (ofSource.length === 0) return [];
  const head = await store.head(HEADS, suspensionText(key));
  const meta = head && !head.deleted ? readHeadMeta(head.meta) : null;
  return meta ? ofSource.filter(({ tool }) => mayAskFor(meta, tool)) : [];
}

/** Holds one rule against what was decided so far. `goOn` is asked between records, and ends it. */
export async function lookBack(
  store: KvStore,
  ports: Pick<Ports, 'settings' | 'listed'>,
  rules: readonly Rule[],
  goOn: () => Promise<boolean>,
): Promise<void> {
  let looked = 0;
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage(DECISIONS, cursor, 256);
    for (const { key: name, meta } of page.heads) {
      const key = parseSuspension(name);
      const decided = readDecisionMeta(meta);
      if (key === null || decided === null || decided.closed || !rules.some(({ source }) => source === key.source))
        continue;
      looked += 1;
      if (looked > MOST_LOOKED_AT || !(await goOn())) return;
      await noteDecision(store, ports, rules, key);
    }
    if (page.next === null) return;
    cursor = page.next;
  }
}

/** What people said where a rule speaks, by rule. */
export async function shadowFigures(store: KvStore): Promise<Map<string, RuleFigures>> {
  const figures = new Map<string, RuleFigures>();
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage(RULE_SHADOW, cursor, 1024);
    for (const { key, meta } of page.heads) {
      const id = key.slice(0, key.indexOf(':'));
      const counted = readCounted(meta);
      const before = figures.get(id) ?? { approved: 0, edited: 0, rejected: 0 };
      if (counted)
        figures.set(id, {
          approved: before.approved + counted.a,
          edited: before.edited + counted.e,
          rejected: before.rejected + counted.r,
        });
    }
    if (page.next === null) return figures;
    cursor = page.next;
  }
}

function readCounted(meta: string): z.infer<typeof Counted> | null {
  try {
    return Counted.safeParse(JSON.parse(meta)).data ?? null;
  } catch {
    return null;
  }
}
