import { type RefObject, useEffect } from 'react';
import { useRun } from './run-store.js';

/** What may hold more than it shows: layouts of arguments that could grow to the side. */
const BLOCKS = '.fields, .fields dt, .fields dd, .long-text, .string-block';

/** True when part of the arguments that `part` belongs to is out of view sideways: nobody scrolls there by reading. */
export function liesToTheSide(part: Element): boolean {
  const args = part.closest('.args');
  const boxes = [part.closest('.card-scroll'), args, ...(args?.querySelectorAll(BLOCKS) ?? [])];
  return boxes.some((box) => box !== null && box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0);
}

/** Calls `look` whenever the arguments around `part` may be laid out anew. Returns how to stop. */
export function onLayout(part: Element, look: () => void): () => void {
  const args = part.closest('.args');
  const changes = new MutationObserver(look);
  if (args) changes.observe(args, { childList: true, subtree: true, characterData: true });
  const sizes = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(look);
  for (const box of [part.closest('.card-scroll'), args]) if (box) sizes?.observe(box);
  return () => {
    changes.disconnect();
    sizes?.disconnect();
  };
}

/** Keeps the store told whether part of these arguments lies to the side, for as long as they are on the card. */
export function useSideways(args: RefObject<Element | null>, place: string): void {
  useEffect(() => {
    const { current } = args;
    if (!current) return;
    const { setSideways } = useRun.getState();
    const look = (): void => setSideways(liesToTheSide(current) ? place : null);
    look();
    const stop = onLayout(current, look);
    return () => {
      stop();
      setSideways(null);
    };
  }, [args, place]);
}
