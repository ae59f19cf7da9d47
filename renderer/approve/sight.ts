import { type RefObject, useEffect, useState } from 'react';

/** What the second version of IntersectionObserver adds; the types do not know it yet. */
interface Watching extends IntersectionObserverInit {
  trackVisibility: boolean;
  delay: number;
}
interface Sighted extends IntersectionObserverEntry {
  readonly isVisible?: boolean;
}

/** The shortest pause between two looks that browsers allow when they look for what covers an element. Milliseconds. */
const DELAY_MS = 100;
/** An element counts as on screen from this share on: its edge may lie on a fraction of a pixel. */
const WHOLE = 0.98;
/** Smaller than this nobody can read it, in CSS pixels. */
const LEAST_WIDTH = 200;
const LEAST_HEIGHT = 60;

export interface Sight {
  /** Each part that must be seen is on screen whole, with nothing over it, not transformed, not see-through. */
  open: boolean;
  /** Rows that have not been on screen since this content came up. */
  unseen: number;
}

/**
 * A frame out of sight is not drawn, and then its observers say nothing any more: their last word is stale. So the control
 * counts whether it is drawn, and looks anew at the moment of a confirmation.
 */
const BEAT_MS = 250;
const MISSED = 2;
const LOOK_MS = 500;

/** Parts that must be on screen all the time, and rows that must have been once. */
const ALWAYS = '[data-sight="always"]';
const ONCE = '[data-sight="once"]';

const WATCHING: Watching = { threshold: [0, 0.5, WHOLE, 1], trackVisibility: true, delay: DELAY_MS };
const isWhole = ({ isVisible, intersectionRatio }: Sighted): boolean =>
  isVisible === true && intersectionRatio >= WHOLE;

/** Tells when the frame is not drawn any more, and when it is again. Counts, and trusts no clock. */
function heartbeat(tell: (drawn: boolean) => void): () => void {
  let frames = 0;
  let seen = 0;
  let missed = 0;
  let handle = 0;
  const count = (): void => {
    frames += 1;
    handle = requestAnimationFrame(count);
  };
  count();
  const timer = setInterval(() => {
    const before = missed >= MISSED;
    missed = frames === seen ? missed + 1 : 0;
    seen = frames;
    if (before !== missed >= MISSED) tell(missed < MISSED);
  }, BEAT_MS);
  return () => {
    cancelAnimationFrame(handle);
    clearInterval(timer);
  };
}

/** Looks anew: true when every part that must be on screen is, now, by the browser's fresh word. */
export function seenNow(): Promise<boolean> {
  const parts = new Set(document.querySelectorAll(ALWAYS));
  if (parts.size === 0) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (seen: boolean): void => {
      observer.disconnect();
      clearTimeout(timer);
      resolve(seen);
    };
    const observer = new IntersectionObserver((entries: Sighted[]) => {
      for (const entry of entries) {
        if (!isWhole(entry)) return end(false);
        parts.delete(entry.target);
      }
      if (parts.size === 0) end(true);
    }, WATCHING);
    const timer = setTimeout(end, LOOK_MS, false);
    for (const part of parts) observer.observe(part);
  });
}

/**
 * Whether the person can see the control, by the browser's own word. The page around it can cover, clip, shrink or fade
 * it: then it does not answer. `content` names what is shown; other content must be seen anew.
 */
export function useSight(root: RefObject<HTMLElement | null>, content: string): Sight {
  const [sight, setSight] = useState<Sight>({ open: false, unseen: 0 });
  useEffect(() => {
    const { current } = root;
    setSight({ open: false, unseen: 0 });
    if (!current || content === '') return;
    const always = new Map<Element, boolean>([...current.querySelectorAll(ALWAYS)].map((part) => [part, false]));
    const once = new Set(current.querySelectorAll(ONCE));
    let drawn = true;
    const look = (): void => {
      const bigEnough = window.innerWidth >= LEAST_WIDTH && window.innerHeight >= LEAST_HEIGHT;
      const open = bigEnough && drawn && always.size > 0 && [...always.values()].every(Boolean);
      setSight((before) =>
        before.open === open && before.unseen === once.size ? before : { open, unseen: once.size },
      );
    };
    const observer = new IntersectionObserver((entries: Sighted[]) => {
      for (const entry of entries) {
        if (always.has(entry.target)) always.set(entry.target, isWhole(entry));
        else if (isWhole(entry)) once.delete(entry.target);
      }
      look();
    }, WATCHING);
    for (const part of [...always.keys(), ...once]) observer.observe(part);
    window.addEventListener('resize', look);
    const stopBeat = heartbeat((beats) => {
      drawn = beats;
      look();
    });
    return () => {
      stopBeat();
      observer.disconnect();
      window.removeEventListener('resize', look);
    };
  }, [root, content]);
  return sight;
}
