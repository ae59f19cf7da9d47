import { focusCard } from '../app/focus.js';
import { useQueue } from '../queue/queue-store.js';
import { useRun } from '../run/run-store.js';

/** Keys that only move: pressed in the approve control they leave it, and move here. Nothing that decides is among them. */
const MOVES: Readonly<Record<string, () => void>> = {
  down: () => useQueue.getState().move(1),
  up: () => useQueue.getState().move(-1),
  next_open: () => void useQueue.getState().selectNextOpen(),
  previous_call: () => useRun.getState().goToCall(useRun.getState().at - 1),
  next_call: () => useRun.getState().goToCall(useRun.getState().at + 1),
};

/** Back from the approve control to the card, with the move that was meant. */
export function goBack(action: string | null): void {
  focusCard();
  if (action !== null && Object.hasOwn(MOVES, action)) MOVES[action]?.();
}
