import { create } from 'zustand';
import type { CallView } from '../../shared/ipc.js';
import type { Refusal } from '../../shared/refusal.js';
import { type CallDraft, type Drafts, draftKey, draftOf, NO_DRAFT } from './drafts.js';
import { saveDraftSoon } from './save-draft.js';

/**
 * What the decision bar is doing. `armed` remembers what it was armed for, and who is to confirm it: the approve control
 * in its own origin, or, where it is only marked in a batch, this page.
 */
export type Mode =
  | { kind: 'idle' }
  | { kind: 'armed'; base: string; by: 'control' | 'page' }
  | { kind: 'rejecting' }
  | { kind: 'answering' }
  | { kind: 'editing' }
  | { kind: 'snoozing' }
  | { kind: 'naming' }
  | { kind: 'all'; verdict: 'approve' | 'reject' };

/** The last decision, or the last several that were one act, for the undo bar. */
export interface LastDecision {
  ids: readonly string[];
  words: string;
  /** RFC 3339: no claim before it. */
  notBefore: string;
}

interface DecisionState {
  mode: Mode;
  /** Per item. */
  drafts: Readonly<Record<string, Drafts>>;
  stepDrafts: Readonly<Record<string, CallDraft>>;
  repair: Readonly<Record<string, boolean>>;
  busy: boolean;
  refusal: { id: string; refusal: Refusal } | null;
  last: LastDecision | null;
  setMode(mode: Mode): void;
  editDraft(itemId: string, call: CallView, change: Partial<CallDraft>): void;
  editStep(itemId: string, change: Partial<CallDraft>): void;
  setRepair(itemId: string, repair: boolean): void;
  /** Forgets what was drafted for an item, after its decision was taken. */
  settle(itemId: string): void;
}

export const IDLE: Mode = { kind: 'idle' };

export const useDecision = create<DecisionState>()((set, get) => ({
  mode: IDLE,
  drafts: {},
  stepDrafts: {},
  repair: {},
  busy: false,
  refusal: null,
  last: null,
  setMode: (mode) => set({ mode }),
  editDraft(itemId, call, change) {
    const drafts = get().drafts[itemId];
    const draft = { ...draftOf(drafts, call), ...change };
    set((state) => ({ drafts: { ...state.drafts, [itemId]: { ...drafts, [draftKey(call)]: draft } } }));
    const words = ['reason', 'note', 'editedArguments', 'answer'] as const;
    if (words.some((word) => word in change)) saveDraftSoon(itemId, call.index, draft);
  },
  editStep(itemId, change) {
    const draft = { ...(get().stepDrafts[itemId] ?? NO_DRAFT), ...change };
    set((state) => ({ stepDrafts: { ...state.stepDrafts, [itemId]: draft } }));
  },
  setRepair: (itemId, repair) => set((state) => ({ repair: { ...state.repair, [itemId]: repair } })),
  settle(itemId) {
    const without = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(Object.entries(record).filter(([key]) => key !== itemId));
    set((state) => ({
      drafts: without(state.drafts),
      stepDrafts: without(state.stepDrafts),
      repair: without(state.repair),
    }));
  },
}));
