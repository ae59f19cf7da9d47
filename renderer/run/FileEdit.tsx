import { useMemo } from 'react';
import { type FileEdit, fileEditOf } from '../../shared/file-edit.js';
import type { CallView } from '../../shared/ipc.js';
import { readJsonText } from '../../shared/json.js';
import { type DiffLine, diffLines } from '../decision/diff.js';
import { Diff, DiffModes } from '../diff/Diff.js';
import { text as words } from '../text.js';
import { BesideFile } from './BesideFile.js';
import type { Arguments } from './fields.js';
import { useFileBeside } from './file-beside.js';

/** Longer arguments are not read a second time for this; they stand whole above. */
const LONGEST = 1024 * 1024;

/** What the call would do to a file, as a difference: beside the arguments, which stand whole above it. */
export function FileEditView({ itemId, call, args }: { itemId: string; call: CallView; args: Arguments }) {
  const source = args.kind === 'fields' ? args.source : null;
  const edit = useMemo(() => {
    const read = source !== null && source.length <= LONGEST ? readJsonText(source) : null;
    return read?.ok ? fileEditOf(read.root) : null;
  }, [source]);
  if (edit === null) return null;
  return (
    <section className="file-edit" data-testid="file-edit" aria-label={words.file.title}>
      <header>
        <h2>{words.file.title}</h2>
        <DiffModes />
      </header>
      <Changes itemId={itemId} call={call} edit={edit} />
    </section>
  );
}

function Changes({ itemId, call, edit }: { itemId: string; call: CallView; edit: FileEdit }) {
  const beside = useFileBeside(itemId, call, edit.path !== null);
  const file = beside.state === 'read' ? beside.file : null;
  return (
    <>
      {edit.path !== null && <BesideFile beside={beside} edit={edit} />}
      {edit.kind === 'write' && file !== null && file.state !== 'too_large' && file.state !== 'no_text' && (
        <TextDiff before={file.text ?? ''} after={edit.content} isNew={file.state === 'missing'} />
      )}
      {edit.kind === 'replace' &&
        // biome-ignore lint/suspicious/noArrayIndexKey: the changes of one call never move
        edit.changes.map((change, i) => <TextDiff key={i} before={change.before} after={change.after} />)}
      {edit.kind === 'patch' && <Diff lines={patchLines(edit.patch)} label={words.file.patch} />}
    </>
  );
}

function TextDiff({ before, after, isNew = false }: { before: string; after: string; isNew?: boolean }) {
  const lines = useMemo(
    () => diffLines(isNew || before === '' ? [] : before.split('\n'), after === '' ? [] : after.split('\n')),
    [before, after, isNew],
  );
  if (before === after && !isNew) return <p className="faint">{words.file.nothing}</p>;
  return <Diff lines={lines} label={words.file.title} />;
}

/** The lines of a patch as it is written, coloured by what each one does. */
function patchLines(patch: string): DiffLine[] {
  return patch.split('\n').map((text) => {
    if (/^(?:\+\+\+|---) /.test(text)) return { kind: 'same', text };
    return { kind: text.startsWith('+') ? 'add' : text.startsWith('-') ? 'del' : 'same', text };
  });
}
