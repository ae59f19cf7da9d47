import { type RefObject, useLayoutEffect, useState } from 'react';

/** What a decision is read from and made with: each must have room on screen. */
const PARTS = '.card-scroll, .decision-bar';

/**
 * False while the card, or a part of it that a decision needs, takes no room in the window, as in a narrow one that
 * shows the list. `shown` names the content: other content has other parts.
 */
export function useOnScreen(card: RefObject<Element | null>, shown: string | null): boolean {
  const [onScreen, setOnScreen] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => {
    const { current } = card;
    if (!current || typeof ResizeObserver === 'undefined') return;
    const parts = [current, ...current.querySelectorAll(PARTS)];
    const look = (): void =>
      setOnScreen(
        parts.every((part) => {
          const { width, height } = part.getBoundingClientRect();
          return width > 0 && height > 0;
        }),
      );
    look();
    const sizes = new ResizeObserver(look);
    for (const part of parts) sizes.observe(part);
    return () => sizes.disconnect();
  }, [card, shown]);
  return onScreen;
}
