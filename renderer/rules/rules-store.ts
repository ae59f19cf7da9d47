import { create } from 'zustand';
import type { Refusal } from '../../shared/refusal.js';
import type { RuleList, RuleState } from '../../shared/rule.js';
import { call as ask } from '../bridge.js';

interface RulesState extends RuleList {
  loaded: boolean;
  refusal: Refusal | null;
  load(): Promise<void>;
  /** Moves a rule as it was seen; false when the person declined, or it was refused. */
  move(id: string, revision: number, to: RuleState): Promise<boolean>;
  pause(paused: boolean): Promise<void>;
}

export const useRules = create<RulesState>()((set, get) => ({
  rules: [],
  paused: false,
  loaded: false,
  refusal: null,
  async load() {
    const reply = await ask('rules:list');
    set(reply.ok ? { ...reply.value, loaded: true } : { refusal: reply.refusal });
  },
  async move(id, revision, to) {
    const reply = await ask('rules:move', id, revision, to);
    set({ refusal: reply.ok ? null : reply.refusal });
    await get().load();
    return reply.ok && reply.value !== null;
  },
  async pause(paused) {
    const reply = await ask('rules:pause', paused);
    set(reply.ok ? { refusal: null, paused: reply.value.paused } : { refusal: reply.refusal });
    await get().load();
  },
}));
