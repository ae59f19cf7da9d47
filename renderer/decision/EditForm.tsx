import { useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import type { CallView } from '../../shared/ipc.js';
import { isConfirmChord } from '../keys.js';
import { lineCount } from '../run/fields.js';
import { Marked } from '../run/Marked.js';
import { said } from '../run/said.js';
import { text as words } from '../text.js';
import { leave } from './actions.js';
import { useDecision } from './decision-store.js';
import { linesOf } from './diff.js';
import type { CallDraft } from './drafts.js';
import { EditDiff } from './EditDiff.js';
import { type Edits, editsOf, sentText } from './edit.js';
import { Key } from './Key.js';
import { TypeChanges } from './TypeChanges.js';
import { useEditCheck } from './use-edit-check.js';

interface Props {
  itemId: string;
  call: CallView;
  draft: CallDraft;
  proposed: string;
}

/** The text that is laid out for editing: what would be sent, over lines, every token as written. */
function layout(proposed: string, edits: Edits): string {
  return linesOf(sentText(proposed, edits)).join('\n');
}

/**
 * Edits the arguments as JSON text. Kept only when it reads, every value keeps its type or the change is confirmed, and it
 * fits the schema of the tool's server; keeping decides nothing.
 */
export function EditForm({ itemId, call, draft, proposed }: Props) {
  const editDraft = useDecision((s) => s.editDraft);
  const edits = editsOf(call);
  const [value, setValue] = useState(() => draft.editedArguments ?? layout(proposed, edits));
  const late = useDeferredValue(value);
  const field = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  const unchanged = value === layout(proposed, edits);
  const [confirmed, setConfirmed] = useState<readonly string[]>(draft.typesChanged);
  const {
    check,
    changes,
    confirmed: typesConfirmed,
    faults,
    fits,
  } = useEditCheck({ itemId, call, proposed }, value, unchanged, confirmed);
  /** What was asked about must still be what stands there. */
  const latest = useRef(value);
  latest.current = value;

  async function keep(): Promise<void> {
    if (!check.ok) return;
    if (check.changed && call.hasSchema && (!(await fits()) || latest.current !== value)) return;
    const typesChanged = typesConfirmed ? changes : [];
    editDraft(itemId, call, { editedArguments: check.changed ? value : null, typesChanged, verdict: null });
    leave();
  }

  return (
    <section className="edit-form" aria-label={words.edit.title(said(call.name))}>
      <h2>{words.edit.title(said(call.name))}</h2>
      <p className="faint">{words.edit.means}</p>
      <div className="editor">
        <div ref={gutter} className="editor-gutter" aria-hidden="true">
          {Array.from({ length: lineCount(value) }, (_, i) => i + 1).join('\n')}
        </div>
        <textarea
          ref={field}
          id={id}
          data-testid="edit-text"
          aria-label={words.edit.label(said(call.name))}
          aria-invalid={!check.ok}
          aria-describedby={`${id}-fault`}
          wrap="off"
          spellCheck={false}
          rows={Math.min(18, Math.max(6, lineCount(value) + 1))}
          value={value}
          onChange={(event) => setValue(event.target.value)}
          onScroll={(event) => {
            if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
          }}
          onKeyDown={(event) => {
            if (!isConfirmChord(event) || event.repeat || event.nativeEvent.isComposing) return;
            event.preventDefault();
            void keep();
          }}
        />
      </div>
      <p id={`${id}-fault`} className={check.ok ? 'ok' : 'refused'} role="status" data-testid="edit-fault">
        {check.ok ? wordsFor(check.changed, typesConfirmed) : <Marked text={check.reason} />}
      </p>
      {changes.length > 0 && (
        <TypeChanges changes={changes} confirmed={typesConfirmed} onConfirm={(on) => setConfirmed(on ? changes : [])} />
      )}
      {faults.length > 0 && (
        <ul className="refused schema-faults" role="alert" data-testid="schema-faults">
          {faults.map(({ path, text }) => (
            <li key={`${path}\n${text}`}>
              {path !== '' && (
                <span className="mono">
                  <Marked text={path} />:{' '}
                </span>
              )}
              <Marked text={text} />
            </li>
          ))}
        </ul>
      )}
      {check.ok && check.changed && <EditDiff before={proposed} after={late} edits={edits} />}
      <div className="buttons">
        <button type="button" className="btn" onClick={() => setValue(layout(proposed, edits))} disabled={unchanged}>
          {words.edit.reset}
        </button>
        <span className="spacer" />
        <button type="button" className="btn" onClick={leave}>
          {words.cancel} <Key action="back" />
        </button>
        <button
          type="button"
          className="btn solid"
          data-testid="edit-keep"
          disabled={!check.ok || faults.length > 0}
          onClick={() => void keep()}
        >
          {words.edit.keep} <Key action="submit" />
        </button>
      </div>
    </section>
  );
}

function wordsFor(changed: boolean, typesConfirmed: boolean): string {
  if (!changed) return words.edit.unchanged;
  return typesConfirmed ? words.edit.fitsConfirmed : words.edit.fits;
}
