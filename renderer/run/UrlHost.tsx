import { text as words } from '../text.js';
import { Marked } from './Marked.js';
import { urlParts } from './url-host.js';

/** Where a web address really leads, under the address itself. */
export function UrlHost({ value }: { value: string }) {
  const parts = urlParts(value);
  if (parts === null) return null;
  return (
    <div className="url-host">
      {words.args.host} <strong>{parts.host}</strong>
      {parts.written !== null && (
        <>
          {' '}
          {words.args.writtenAs} <Marked text={parts.written} />
        </>
      )}
      {parts.userInfo && <span className="mark">{words.args.userInfo}</span>}
    </div>
  );
}
