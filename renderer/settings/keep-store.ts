import { create } from 'zustand';
import type { UnderWayView } from '../../shared/under-way.js';
import { call as ask } from '../bridge.js';

interface KeepState {
  /** The backup, import or move that is under way, as it was told last. */
  underWay: UnderWayView | null;
  /** What was chosen in the menu bar, until its part of the settings begins it. */
  wanted: 'back_up' | 'bring_in' | null;
  load(): Promise<void>;
  /** True when something was wanted; it is not wanted any more then. */
  take(what: 'back_up' | 'bring_in'): boolean;
}

export const useKeep = create<KeepState>()((set, get) => ({
  underWay: null,
  wanted: null,
  async load() {
    const reply = await ask('keep:state');
    if (reply.ok) set({ underWay: reply.value });
  },
  take(what) {
    if (get().wanted !== what) return false;
    set({ wanted: null });
    return true;
  },
}));
