import { useState } from 'react';
import { noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { useDecision } from '../decision/decision-store.js';
import { Key } from '../decision/Key.js';
import { undo } from '../decision/send.js';
import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';
import { closeTold } from './bulk-acts.js';
import type { Phase } from './bulk-store.js';
import { RunLine } from './RunLine.js';

/** What became of each run; the whole act can be taken back, and each by itself. */
export function Told({ phase }: { phase: Extract<Phase, { kind: 'told' }> }) {
  const { list, decided, refusal, said } = phase;
  const last = useDecision((s) => s.last);
  const [back, setBack] = useState<ReadonlySet<string>>(new Set());
  const open = (id: string): boolean => (last?.ids.includes(id) ?? false) && !back.has(id);

  async function takeBack(id: string): Promise<void> {
    const reply = await ask('decide:undo', id);
    if (!reply.ok) noteRefusal(reply.refusal);
    else setBack((before) => new Set([...before, id]));
  }
  return (
    <>
      {refusal && (
        <p className="refused" role="alert">
          <strong>{words.bar.notTaken}</strong> <Marked text={refusal.text} />
        </p>
      )}
      <ol className="bulk-list" data-testid="bulk-told">
        {(decided?.told ?? []).map(({ id, answer }) => {
          const run = list.runs.find((one) => one.id === id);
          return (
            <li key={id} data-taken={answer.ok}>
              {run && <RunLine run={run} />}
              <p className={answer.ok ? 'ok' : 'refused'}>
                {back.has(id) ? (
                  words.undo.done
                ) : answer.ok ? (
                  words.bulk.taken[said]
                ) : (
                  <Marked text={answer.refusal.text} />
                )}
                {answer.ok && open(id) && (
                  <button type="button" className="link" onClick={() => void takeBack(id)}>
                    {words.bulk.takeBack}
                  </button>
                )}
              </p>
            </li>
          );
        })}
      </ol>
      <div className="buttons">
        {decided !== null && last !== null && last.ids.length > 1 && (
          <button type="button" className="btn" onClick={() => void undo(last.ids)}>
            {words.bulk.takeAllBack(last.ids.length)} <Key action="undo" />
          </button>
        )}
        <span className="spacer" />
        <button type="button" className="btn" data-testid="bulk-close" onClick={closeTold}>
          {words.close} <Key action="back" />
        </button>
      </div>
    </>
  );
}
