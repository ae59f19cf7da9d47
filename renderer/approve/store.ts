import { create } from 'zustand';
import type { ApproveState } from '../../shared/approve.js';
import type { FactChange } from '../run/fact-changes.js';
import { sha256 } from '../run/sha256.js';
import { useSettings } from '../settings/settings-store.js';
import { text } from '../text.js';
import { call as ask } from './bridge.js';
import { changedSince } from './changed.js';
import { seenNow } from './sight.js';
import { callsOf, isMany } from './words.js';

type Offered = NonNullable<ApproveState['offered']>;

interface ControlState {
  state: ApproveState | null;
  /** The seal whose argument texts were found to have the digests that stand beside them. */
  verified: string | null;
  /** Why the last attempt was not taken, or why nothing could be read. */
  refusal: string | null;
  busy: boolean;
  /** What of this proposal became another thing while it was on screen, old and new. */
  changes: readonly FactChange[];
  load(): Promise<void>;
  confirm(offered: Offered): Promise<void>;
  leave(offered: Offered, action: string | null): Promise<void>;
}

/** What the control shows and says. Everything in it came from main. */
export const useApprove = create<ControlState>()((set, get) => {
  let turn = 0;
  return {
    state: null,
    verified: null,
    refusal: null,
    busy: false,
    changes: [],
    async load() {
      turn += 1;
      const mine = turn;
      const reply = await ask('approve:view');
      if (mine !== turn) return;
      if (!reply.ok) {
        set({ state: null, refusal: reply.refusal.text });
        return;
      }
      const before = get().state?.offered?.offer;
      const { offered, keys } = reply.value;
      // What shows a key reads it there.
      useSettings.setState((known) => ({ settings: { ...known.settings, keys } }));
      const changes = changedSince(get().state?.offered, offered);
      if (changes.length > 0 || offered?.offer !== before) set({ changes });
      set({ state: reply.value, ...(offered?.offer !== before && { refusal: null, busy: false }) });
      if (offered && get().verified !== offered.seal && (await agrees(offered)) && mine === turn)
        set({ verified: offered.seal });
    },
    async confirm({ offer, seal }) {
      if (get().busy) return;
      set({ busy: true, refusal: null });
      const seen = await seenNow();
      if (!seen || get().state?.offered?.seal !== seal) {
        set({ busy: false, refusal: seen ? null : text.control.off.hidden });
        return;
      }
      const reply = await ask('approve:confirm', offer, seal, window.devicePixelRatio);
      set({ busy: false, refusal: reply.ok ? null : reply.refusal.text });
      await get().load();
    },
    async leave({ offer }, action) {
      if (get().busy) return;
      await ask('approve:leave', offer, action);
      await get().load();
    },
  };
});

/**
 * The control's own digest of each text is the one that main says, and of a text without an edit also the one that the
 * page says is on screen. A text that comes in part is known by main's digest alone, and the control says that it is long.
 */
async function agrees({ release }: Offered): Promise<boolean> {
  for (const { text, length, effectiveSha256, proposedSha256, edited } of callsOf(release)) {
    if (!edited && effectiveSha256 !== proposedSha256) return false;
    // A list shows all that it sends.
    if (isMany(release) && text.length !== length) return false;
    if (text.length === length && (await sha256(text)) !== effectiveSha256) return false;
  }
  return true;
}
