import { useEffect } from 'react';
import { call as ask } from '../bridge.js';
import { text as words } from '../text.js';
import { useKeep } from './keep-store.js';

const t = words.keeping.underWay;

/** How far a long backup, import or move is, and the way to stop it while nothing half would be left. */
export function UnderWay() {
  const { underWay, load } = useKeep();
  useEffect(() => void load(), [load]);
  if (underWay === null) return null;
  const { act, done, all, mayStop } = underWay;
  const percent = all === 0 ? null : Math.floor((done / all) * 100);
  const said = t.acts[act](percent);
  return (
    <div className="under-way" data-testid="under-way">
      <span>{said}</span>
      <progress {...(percent === null ? {} : { value: done, max: all })} aria-label={said} />
      <button type="button" className="btn" disabled={!mayStop} onClick={() => void ask('keep:stop')}>
        {t.stop}
      </button>
      {!mayStop && <span className="faint">{t.goesOn}</span>}
    </div>
  );
}
