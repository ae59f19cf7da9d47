import { create } from 'zustand';
import type { Result } from '../../shared/ipc.js';
import type { Proposal } from '../../shared/proposal.js';
import { focusCard } from '../app/focus.js';
import { call as ask } from '../bridge.js';

/** The element that holds the approve control; it is always there, so that its process is ready. */
export const CONTROL_ID = 'approve-control';

interface ControlState {
  /** True while something is proposed to the approve control: it is on screen then, and only then. */
  proposed: boolean;
}

export const useControl = create<ControlState>()(() => ({ proposed: false }));

let turn = 0;

/**
 * Proposes an act that may send a call. The page cannot confirm it: the approve control shows main's own reading of it and
 * answers. Resolves when it was confirmed and taken or refused, left, or withdrawn.
 */
export async function propose(proposal: Proposal): Promise<Result<'approve:offer'>> {
  turn += 1;
  const mine = turn;
  useControl.setState({ proposed: true });
  const reply = await ask('approve:offer', proposal);
  if (mine === turn) useControl.setState({ proposed: false });
  return reply;
}

/** Takes back what is proposed: the reviewer looks at something else. */
export function withdraw(): void {
  if (!useControl.getState().proposed) return;
  turn += 1;
  useControl.setState({ proposed: false });
  void ask('approve:withdraw');
}

/** Confirmed: the control has nothing more to ask, and the keyboard goes back to the card. The outcome follows. */
export function taken(): void {
  if (!useControl.getState().proposed) return;
  useControl.setState({ proposed: false });
  focusCard();
}

/** Gives the keyboard to the approve control. It has a grace time of its own, and finds no button focused. */
export function focusControl(): void {
  document.getElementById(CONTROL_ID)?.focus({ preventScroll: true });
}

/** The same for a frame that was made anew: what had the keyboard before it is nobody any more. */
export function refocusControl(): void {
  if (!useControl.getState().proposed) return;
  focusCard();
  focusControl();
}
