import type { System } from '../../shared/checkpoint.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { FORMATS } from '../formats/list.js';
import { textDigest } from '../formats/text-digest.js';

/** Buckets of the store, by what they hold. Heads, decisions and journals share one key a suspension (H1). */
export const HEADS = 'suspensions';
export const DECISIONS = 'decisions';
export const JOURNALS = 'journals';
/** Drafts and snoozes: they never move a head's revision (H12). */
export const DESK = 'desk';
/** What was refused or came second: kept for the history, decides nothing. */
export const EVIDENCE = 'evidence';
/** Records that belong beside a checkpoint, one key a run (starweaver's approvals, deferred calls and claims). */
export const NEIGHBOURS = 'neighbours';
/** Results of sweeps. */
export const SWEEPS = 'sweeps';
/** What the history consisted of at one time, each naming the one before. */
export const SEALS = 'seals';

/** Rules that answer in a person's stead, one key a rule; whether they are paused; what people said where they would have. */
export const RULES = 'rules';
export const RULE_SWITCH = 'rule-switch';
export const RULE_SHADOW = 'rule-shadow';

/** What the history is told from, and what seals hold. */
export const HISTORY: readonly string[] = [HEADS, DECISIONS, JOURNALS, EVIDENCE, NEIGHBOURS];
/**
 * Buckets of which no revision ever goes: a claim pins the decision it read, a journal says what happened when, and the
 * others have one revision a key.
 */
export const KEPT_WHOLE: readonly string[] = [DECISIONS, JOURNALS, EVIDENCE, SEALS, RULES];

/** One agent execution: a suspension without its counter. */
export type RunKey = Omit<SuspensionKey, 'seq'>;

/** The store's key of a suspension. The run id comes last because it may hold any character. */
export function suspensionText(key: SuspensionKey): string {
  return `${key.system}:${key.source}:${key.seq}:${key.runId}`;
}

/** Reads a key back; null when it is none of ours. */
export function parseSuspension(text: string): SuspensionKey | null {
  const match = /^([a-z0-9]+):([\w.-]+):([1-9]\d{0,14}):(.*)$/s.exec(text);
  const [, system, source, seq, runId] = match ?? [];
  if (!isKnown(system) || source === undefined || runId === undefined) return null;
  return { system, source, seq: Number(seq), runId };
}

/** A key of a system that only a newer Holdpoint reads is left alone (I5). */
function isKnown(system: string | undefined): system is System {
  return FORMATS.some((format) => format.system === system);
}

/** The store's key of a run, for what belongs to the run and not to one suspension. */
export function runText(key: RunKey): string {
  return `${key.system}:${key.source}:${key.runId}`;
}

/** Reads the key of a run back; null when it is none of ours. */
export function parseRun(text: string): RunKey | null {
  const [, system, source, runId] = /^([a-z0-9]+):([\w.-]+):(.*)$/s.exec(text) ?? [];
  return !isKnown(system) || source === undefined || runId === undefined ? null : { system, source, runId };
}

/** So that even as escapes it leaves the index's copy of a head under its 4 KB. */
const LONGEST_MARK = 100;

/** The same, short enough for the index whatever the run id holds. */
export function runMark(key: RunKey): string {
  return shortMark(runText(key));
}

/** A text as it is, or its digest where it is long. */
export function shortMark(text: string): string {
  return text.length <= LONGEST_MARK ? text : `sha256:${textDigest(text)}`;
}
