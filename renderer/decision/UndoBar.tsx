import { useEffect, useState } from 'react';
import { text as words } from '../text.js';
import { useDecision } from './decision-store.js';
import { Key } from './Key.js';
import { undo } from './send.js';

/** As long as nothing can be claimed, the last decision can be taken back with one key. */
export function UndoBar() {
  const last = useDecision((s) => s.last);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (last === null) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [last]);
  if (last === null) return null;
  const left = Date.parse(last.notBefore) - now;
  if (left <= 0) return null;
  return (
    <div className="undo-bar" data-testid="undo-bar">
      <span role="status">{words.undo.bar(last.words)}</span>
      <span className="num" aria-hidden="true">
        {words.undo.left(Math.ceil(left / 1000))}
      </span>
      <button type="button" className="btn" data-testid="undo" onClick={() => void undo(last.ids)}>
        {words.undo.undo} <Key action="undo" />
      </button>
    </div>
  );
}
