import { useId, useState } from 'react';
import type { SavedView } from '../../shared/queue.js';
import { noteRefusal } from '../app/toast-store.js';
import { useUi } from '../app/ui-store.js';
import { said } from '../run/said.js';
import { useSettings } from '../settings/settings-store.js';
import { text as words } from '../text.js';
import { useQueue } from './queue-store.js';

async function keep(views: SavedView[]): Promise<void> {
  const { settings, save } = useSettings.getState();
  const refusal = await save({ ...settings, views });
  if (refusal) noteRefusal(refusal);
}

const isSame = (a: SavedView['query'], b: SavedView['query']): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The reviewer's own views: place, order, filters and search under a name. */
export function SavedViews() {
  const views = useSettings((s) => s.settings.views);
  const query = useQueue((s) => s.query);
  const page = useUi((s) => s.page);
  if (views.length === 0) return null;
  return (
    <>
      <hr />
      <h3 className="nav-title">{words.filter.saved}</h3>
      {views.map((view) => (
        <span key={view.name} className="saved-view">
          <button
            type="button"
            className="some"
            aria-current={page === 'queue' && isSame(view.query, query) ? 'page' : undefined}
            onClick={() => {
              useQueue.getState().setQuery(view.query);
              useUi.getState().goTo('queue');
            }}
          >
            {said(view.name)}
          </button>
          <button
            type="button"
            className="remove"
            aria-label={words.filter.remove(said(view.name))}
            onClick={() => void keep(views.filter((one) => one !== view))}
          >
            ×
          </button>
        </span>
      ))}
    </>
  );
}

/** Keeps what the list shows now under a name; the same name again takes the place of the one before. */
export function SaveView() {
  const [name, setName] = useState('');
  const views = useSettings((s) => s.settings.views);
  const query = useQueue((s) => s.query);
  const id = useId();
  const called = name.trim();
  return (
    <form
      className="save-view"
      onSubmit={(event) => {
        event.preventDefault();
        if (called === '') return;
        void keep([...views.filter((one) => one.name !== called), { name: called, query }]);
        setName('');
      }}
    >
      <label htmlFor={id}>{words.filter.saveAs}</label>
      <input id={id} value={name} maxLength={60} onChange={(event) => setName(event.target.value)} />
      <button type="submit" className="btn" disabled={called === ''}>
        {words.filter.save}
      </button>
    </form>
  );
}
