import { useEffect, useState } from 'react';
import type { ImportRow } from '../../shared/import-row.js';
import { Dialog } from '../app/Dialog.js';
import { noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { useQueue } from '../queue/queue-store.js';
import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';
import { useKeep } from './keep-store.js';

const t = words.keeping.bringIn;

/** A backup comes in after a listing that says of each run what is done with it. */
export function BringIn() {
  const [shown, setShown] = useState<{ name: string; rows: ImportRow[] } | null>(null);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  async function look(): Promise<void> {
    setBusy(true);
    const reply = await ask('backup:preview');
    setBusy(false);
    setSaid('');
    if (!reply.ok) noteRefusal(reply.refusal);
    else setShown(reply.value);
  }
  async function bringIn(update: readonly string[]): Promise<void> {
    setShown(null);
    setBusy(true);
    const reply = await ask('backup:import', [...update]);
    setBusy(false);
    if (!reply.ok) return noteRefusal(reply.refusal);
    const came = reply.value.filter(comes);
    const left = reply.value.find((row) => row.what === 'settings' && update.includes(row.suspension) && !comes(row));
    setSaid([t.done(...counted(came)), ...(left ? [t.unsaved(left.why)] : [])].join(' '));
    await useQueue.getState().load();
  }
  const wanted = useKeep((state) => state.wanted);
  // biome-ignore lint/correctness/useExhaustiveDependencies: begun once for each time it is wanted
  useEffect(() => {
    if (wanted === 'bring_in' && useKeep.getState().take('bring_in')) void look();
  }, [wanted]);
  return (
    <div className="setting">
      <span className="name" />
      <button type="button" className="btn" disabled={busy} onClick={() => void look()}>
        {busy ? t.busy : t.button}
      </button>
      <span className="faint">{t.hint}</span>
      <span className="told" role="status">
        {said}
      </span>
      {shown && (
        <Dialog title={t.title(shown.name)} onClose={() => setShown(null)}>
          <Listing rows={shown.rows} bringIn={(update) => void bringIn(update)} />
        </Dialog>
      )}
    </div>
  );
}

/** Runs, and files beside them. */
const counted = (rows: readonly ImportRow[]): [number, number] => {
  const files = rows.filter(({ what }) => what !== undefined).length;
  return [rows.length - files, files];
};

const comes = ({ act }: ImportRow): boolean => act === 'add' || act === 'take_in' || act === 'update';
function Listing({ rows, bringIn }: { rows: readonly ImportRow[]; bringIn(update: readonly string[]): void }) {
  const [named, setNamed] = useState<ReadonlySet<string>>(new Set());
  const coming = rows.filter((row) => comes(row) || named.has(row.suspension));
  const count = coming.length;
  const flip = (run: string): void => {
    const next = new Set(named);
    if (!next.delete(run)) next.add(run);
    setNamed(next);
  };
  if (rows.length === 0) return <p>{t.none}</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="import-rows" tabIndex={0} aria-label={t.act}>
        <table>
          <thead>
            <tr>
              <th>{t.run}</th>
              <th>{t.there}</th>
              <th>{t.compared}</th>
              <th>{t.act}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.suspension}>
                <td className="mono">
                  <Marked text={row.suspension} />
                </td>
                <td>
                  {row.what ? t.what[row.what] : row.status === 'unknown' ? row.status : words.status[row.status]}
                </td>
                <td>{t.relations[row.relation]}</td>
                <td>
                  {t.acts[named.has(row.suspension) ? 'update' : row.act]}
                  <p className="faint">{row.why}</p>
                  {row.mayName && (
                    <label>
                      <input
                        type="checkbox"
                        checked={named.has(row.suspension)}
                        onChange={() => flip(row.suspension)}
                      />{' '}
                      {t.update(row.suspension)}
                    </label>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <button
        type="button"
        className="btn primary"
        data-first
        disabled={count === 0}
        onClick={() => bringIn([...named])}
      >
        {count === 0 ? t.nothing : t.comes(...counted(coming))}
      </button>
    </>
  );
}
