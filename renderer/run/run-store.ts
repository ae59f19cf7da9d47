import { create } from 'zustand';
import type { CallView, RunDetail } from '../../shared/ipc.js';
import type { Refusal } from '../../shared/refusal.js';
import { call as ask } from '../bridge.js';
import { type ArgumentText, FETCHED_BY_ITSELF, fetchWhole } from './argument-text.js';
import { factChanges } from './fact-changes.js';
import { prepareArguments } from './fields.js';

/** What the reviewer had in front of them before the record moved. */
export interface Change {
  before: RunDetail;
  beforeTexts: Readonly<Record<number, ArgumentText>>;
}

interface RunState {
  id: string | null;
  detail: RunDetail | null;
  refusal: Refusal | null;
  /** By call index. */
  texts: Readonly<Record<number, ArgumentText>>;
  /** Places (see `placeKey`) whose end has been reached. */
  reached: ReadonlySet<string>;
  change: Change | null;
  /** The end (see `placeKey`) of the arguments on the card while part of them is out of view sideways. */
  sideways: string | null;
  /** Position in `detail.calls` of the call in front of the reviewer. */
  at: number;
  open(id: string | null): Promise<void>;
  reload(): Promise<void>;
  goToCall(at: number): void;
  fetchRest(call: CallView): Promise<void>;
  markReached(place: string): void;
  setSideways(place: string | null): void;
  dismissChange(): void;
}

const CLEAN = { detail: null, refusal: null, texts: {}, reached: new Set<string>(), change: null, at: 0 } as const;

/** True when the reviewer would read something else now, or something else would come of what they read. */
function isChanged(before: RunDetail, after: RunDetail): boolean {
  if (isAnother(before, after)) return true;
  // Of what is decided nothing is read any more.
  const asked = before.row.status === 'waiting' && after.row.status === 'waiting';
  const said = ({ row, calls }: RunDetail) => ({ route: row.route, calls });
  return asked && factChanges(said(before), said(after)).length > 0;
}

/** True when the record itself is another one. */
export function isAnother(before: RunDetail, after: RunDetail): boolean {
  const read = (d: RunDetail): string =>
    JSON.stringify([d.binding?.digest ?? null, d.binding?.resumeStep ?? null, d.calls.map((c) => c.argumentsSha256)]);
  return read(before) !== read(after);
}

export const useRun = create<RunState>()((set, get) => {
  /** Keeps texts whose digest is still the same; fetches or checks the others. */
  async function takeTexts(detail: RunDetail): Promise<void> {
    const known = get().detail?.calls ?? [];
    const kept = get().texts;
    const same = (call: CallView): boolean =>
      known.some((k) => k.index === call.index && k.argumentsSha256 === call.argumentsSha256) &&
      kept[call.index] !== undefined;
    const texts: Record<number, ArgumentText> = {};
    for (const call of detail.calls)
      texts[call.index] = (same(call) ? kept[call.index] : undefined) ?? { state: 'partial', text: call.argumentsText };
    set({ detail, texts });
    const missing = detail.calls.filter((call) => !same(call) && call.argumentsLength <= FETCHED_BY_ITSELF);
    await Promise.all(missing.map((call) => get().fetchRest(call)));
  }

  return {
    id: null,
    sideways: null,
    ...CLEAN,
    async open(id) {
      if (id === get().id && get().detail !== null) return;
      set({ id, ...CLEAN });
      await get().reload();
    },
    async reload() {
      const { id } = get();
      if (id === null) return;
      const reply = await ask('run:open', id);
      if (get().id !== id) return;
      if (!reply.ok) {
        // What is gone is not shown as if it still waited.
        const gone = reply.refusal.code === 'tombstone' || reply.refusal.code === 'not_found';
        set({ refusal: reply.refusal, ...(gone && { detail: null }) });
        return;
      }
      const before = get().detail;
      if (before && isChanged(before, reply.value)) {
        set({
          change: { before, beforeTexts: get().texts },
          at: Math.min(get().at, Math.max(0, reply.value.calls.length - 1)),
        });
      }
      set({ refusal: null });
      await takeTexts(reply.value);
    },
    goToCall(at) {
      const count = get().detail?.calls.length ?? 0;
      if (at >= 0 && at < count) set({ at });
    },
    async fetchRest(call) {
      const { id } = get();
      if (id === null) return;
      const put = (text: ArgumentText): void => {
        const current = get().detail?.calls.find((c) => c.index === call.index);
        if (get().id !== id || current?.argumentsSha256 !== call.argumentsSha256) return;
        set((state) => ({ texts: { ...state.texts, [call.index]: text } }));
      };
      // What grows is only counted: laid out is the first part, and then the whole.
      const loading = (here: number): void => put({ state: 'loading', text: call.argumentsText, here });
      loading(call.argumentsText.length);
      const fetched = await fetchWhole(id, call, loading);
      if (fetched.state === 'whole') await prepareArguments(fetched.text, call.sentAs);
      put(fetched);
    },
    markReached(place) {
      if (!get().reached.has(place)) set((state) => ({ reached: new Set([...state.reached, place]) }));
    },
    setSideways(sideways) {
      if (get().sideways !== sideways) set({ sideways });
    },
    dismissChange() {
      set({ change: null });
    },
  };
});
