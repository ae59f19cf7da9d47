import { useEffect, useRef } from 'react';
import { text as words } from '../text.js';
import { jumpBack, useJump } from './jump.js';

/** At a place that a warning pointed at: takes the focus, and leads back. Nothing while nobody jumped here. */
export function JumpBack({ spot }: { spot: string }) {
  return useJump((s) => s.at === spot) ? <Back /> : null;
}

function Back() {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    button.current?.scrollIntoView({ block: 'center' });
    button.current?.focus({ preventScroll: true });
  }, []);
  return (
    <button ref={button} type="button" className="link jump-back" data-testid="jump-back" onClick={jumpBack}>
      <span aria-hidden="true">⮌ </span>
      {words.warnings.back}
    </button>
  );
}
