import { create } from 'zustand';
import type { BulkList, LeftOut } from '../../shared/bulk.js';
import type { DecidedMany } from '../../shared/proposal.js';
import type { Refusal } from '../../shared/refusal.js';
import type { RunRow } from '../../shared/run-row.js';

/** What is done with the marked runs. While they are only marked, the card stays to be read. */
export type Phase =
  | { kind: 'marking' }
  /** The approve control lists them and asks. */
  | { kind: 'approving'; list: BulkList }
  | { kind: 'rejecting'; list: BulkList; reason: string }
  /** What became of each. */
  | { kind: 'told'; said: 'approve' | 'reject'; list: BulkList; decided: DecidedMany | null; refusal: Refusal | null };

interface BulkState {
  /** By item; in the order in which they were marked. */
  marks: ReadonlyMap<string, RunRow>;
  /** The group that the next act takes, where the reviewer chose one. */
  chosen: string | null;
  phase: Phase;
  busy: boolean;
  /** Marks or unmarks; nothing else changes. */
  mark(rows: readonly RunRow[], on: boolean): void;
  setPhase(phase: Phase): void;
  /** Leaves what was begun; the marks stay. True when there was something to leave. */
  leave(): boolean;
  /** Takes all marks away. True when there were some. */
  clear(): boolean;
}

export const MARKING: Phase = { kind: 'marking' };

export const useBulk = create<BulkState>()((set, get) => ({
  marks: new Map(),
  chosen: null,
  phase: MARKING,
  busy: false,
  mark(rows, on) {
    const marks = new Map(get().marks);
    for (const row of rows) {
      if (on) marks.set(row.id, row);
      else marks.delete(row.id);
    }
    set({ marks });
  },
  setPhase: (phase) => set({ phase }),
  leave() {
    if (get().busy || get().phase.kind === 'marking') return false;
    set({ phase: MARKING });
    return true;
  },
  clear() {
    if (get().marks.size === 0 || get().busy) return false;
    set({ marks: new Map(), chosen: null, phase: MARKING });
    return true;
  },
}));

/** Several runs are in front, and no single one: keys that decide are about them. */
export function isBulk({ marks, phase }: Pick<BulkState, 'marks' | 'phase'>): boolean {
  return marks.size > 0 || phase.kind !== 'marking';
}

/** Names what is in front while several runs are marked: what an act on them is made for. Null when none is. */
export function bulkShown(state: Pick<BulkState, 'marks' | 'phase' | 'chosen'>): string | null {
  if (!isBulk(state)) return null;
  const { marks, phase, chosen } = state;
  const named = phase.kind === 'rejecting' ? phase.list.runs.map(({ id, binding }) => [id, binding]) : null;
  return JSON.stringify(['bulk', phase.kind, chosen, [...marks.keys()], named]);
}

/** All that was left out, before it was asked and while it was. */
export function allLeftOut(list: BulkList, later: readonly LeftOut[] = []): BulkList {
  const out = new Set(later.map(({ id }) => id));
  return { runs: list.runs.filter(({ id }) => !out.has(id)), leftOut: [...list.leftOut, ...later] };
}
