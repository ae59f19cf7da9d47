import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useGuard } from '../decision/guard-store.js';
import { text as words } from '../text.js';

/**
 * A dialog over everything: it takes the focus (what is marked `data-first` in it, if anything), keeps it, and gives it
 * back. What lies under it is inert.
 */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    const first = box.current?.querySelector<HTMLElement>('[data-first]');
    (first ?? box.current)?.focus();
    useGuard.getState().focusEntered();
    return () => {
      // What lies under is only focusable again after this commit.
      queueMicrotask(() => before instanceof HTMLElement && before.focus({ preventScroll: true }));
    };
  }, []);
  return (
    <div className="scrim">
      <div
        ref={box}
        className="dialog"
        role="dialog"
        aria-modal="true"
        aria-labelledby={id}
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key !== 'Tab') return;
          const stops = [
            ...(box.current?.querySelectorAll<HTMLElement>('button, [href], input, select, textarea') ?? []),
          ];
          const [first] = stops;
          const last = stops.at(-1);
          const leaving = event.shiftKey ? document.activeElement === first : document.activeElement === last;
          if (!leaving) return;
          event.preventDefault();
          (event.shiftKey ? last : first)?.focus();
        }}
      >
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" className="btn" onClick={onClose}>
            {words.close}
          </button>
        </header>
        {children}
      </div>
    </div>
  );
}
