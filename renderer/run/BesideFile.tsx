import type { FileBeside } from '../../shared/file-beside.js';
import type { FileEdit } from '../../shared/file-edit.js';
import { size, when } from '../app/format.js';
import { text as words } from '../text.js';
import { DigestOf } from './Digest.js';
import type { Beside } from './file-beside.js';
import { Marked } from './Marked.js';
import { OneLine } from './OneLine.js';

/** Which file is compared with, and how it was when it was read; or the act that reads it. */
export function BesideFile({ beside, edit }: { beside: Beside; edit: FileEdit }) {
  if (beside.state === 'read')
    return (
      <div className="beside-file">
        <FileFacts file={beside.file} />
        {edit.kind === 'replace' && beside.file.text !== null && <Found file={beside.file.text} edit={edit} />}
        <button type="button" className="link" onClick={beside.read}>
          {words.file.again}
        </button>
      </div>
    );
  return (
    <div className="beside-file">
      {beside.state === 'refused' && (
        <p className="warn">
          <Marked text={beside.why} />
        </p>
      )}
      <button type="button" className="btn" disabled={beside.state === 'reading'} onClick={beside.read}>
        {words.file.compare}
      </button>
      <span className="mono">
        <OneLine text={edit.path ?? ''} />
      </span>
    </div>
  );
}

function FileFacts({ file }: { file: FileBeside }) {
  return (
    <p data-testid="file-state">
      <strong>{words.file.state[file.state]}</strong>{' '}
      <span className="mono">
        <OneLine text={file.path} />
      </span>
      {file.real !== null && (
        <span className="warn">
          {' '}
          {words.file.link}{' '}
          <span className="mono">
            <OneLine text={file.real} />
          </span>
        </span>
      )}{' '}
      <span className="faint">
        {file.state !== 'missing' && `${size(file.size)} · `}
        {file.modifiedAt !== null && `${words.file.modified(when(file.modifiedAt))} · `}
        {words.file.asOf(when(file.readAt))}
      </span>{' '}
      {file.sha256 !== null && <DigestOf hex={file.sha256} />}
    </p>
  );
}

/** Does each text that is to be replaced stand in the file, and once? */
function Found({ file, edit }: { file: string; edit: Extract<FileEdit, { kind: 'replace' }> }) {
  const times = edit.changes.map(({ before }) => (before === '' ? 0 : file.split(before).length - 1));
  return times.every((n) => n === 1) ? (
    <p>{words.file.foundOnce}</p>
  ) : (
    <p className="warn">{words.file.found(times)}</p>
  );
}
