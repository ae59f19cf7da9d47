import { useEffect, useState } from 'react';
import type { RunDetail } from '../../shared/ipc.js';
import { call as ask } from '../bridge.js';
import { useQueue } from '../queue/queue-store.js';
import { text as words } from '../text.js';
import { CallDiffs } from './CallDiffs.js';
import { useRun } from './run-store.js';

/** The latest hold of the same run, if there is a later one. */
async function latestOf(id: string): Promise<RunDetail | null> {
  const successor = await ask('run:successor', id);
  if (!successor.ok || successor.value === null) return null;
  const reply = await ask('run:open', successor.value);
  return reply.ok ? reply.value : null;
}

/** The run moved on: what is different in the record that took this one's place, and the way to it (C38). */
export function Superseded({ detail }: { detail: RunDetail }) {
  const select = useQueue((s) => s.select);
  const texts = useRun((s) => s.texts);
  const [next, setNext] = useState<RunDetail | null>(null);
  const id = next?.row.id ?? null;
  // Asked again with each change of the list: it may have moved on once more.
  const list = useQueue((s) => s.state);
  const own = detail.row.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    let current = true;
    void latestOf(own).then((latest) => {
      if (current) setNext(latest);
    });
    return () => {
      current = false;
    };
  }, [own, list]);
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
