import { useEffect, useState } from 'react';
import type { RunDetail, RunRow } from '../../shared/ipc.js';
import { call as ask } from '../bridge.js';
import { useQueue } from '../queue/queue-store.js';
import { text as words } from '../text.js';
import { CallDiffs } from './CallDiffs.js';
import { useRun } from './run-store.js';

/** The latest hold of the same run, if it is in the list. */
export function successorOf(row: RunRow, rows: readonly RunRow[]): RunRow | null {
  const later = rows.filter(
    (r) => r.system === row.system && r.source === row.source && r.runId === row.runId && r.seq > row.seq,
  );
  return later.reduce<RunRow | null>((latest, r) => (latest === null || r.seq > latest.seq ? r : latest), null);
}

/** The run moved on: what is different in the record that took this one's place, and the way to it (C38). */
export function Superseded({ detail }: { detail: RunDetail }) {
  const successor = useQueue((s) => successorOf(detail.row, s.rows));
  const select = useQueue((s) => s.select);
  const texts = useRun((s) => s.texts);
  const [next, setNext] = useState<RunDetail | null>(null);
  const id = successor?.id ?? null;
  useEffect(() => {
    let current = true;
    setNext(null);
    if (id === null) return;
    void ask('run:open', id).then((reply) => {
      if (current && reply.ok) setNext(reply.value);
    });
    return () => {
      current = false;
    };
  }, [id]);
  if (id === null) return null;
  return (
    <section className="changed" aria-label={words.changed.superseded}>
      <header>
        <strong>{words.changed.superseded}</strong>
        <button type="button" className="btn" onClick={() => select(id)}>
          {words.changed.goThere}
        </button>
      </header>
      {next && (
        <CallDiffs
          before={detail.calls}
          after={next.calls}
          textBefore={(call) => texts[call.index]?.text ?? call.argumentsText}
          textAfter={(call) => call.argumentsText}
        />
      )}
    </section>
  );
}
