import { text as words } from '../text.js';
import { Marked } from './Marked.js';
import { urlParts } from './url-host.js';

/** Where a web address really leads, under the address itself: the host both ways, its port, and what is odd about it. */
export function UrlHost({ value }: { value: string }) {
  const parts = urlParts(value);
  if (parts === null) return null;
  return (
    <div className="url-host" data-testid="url-host">
      {words.args.host} <strong>{parts.host}</strong>
      {parts.unicode !== null && (
        <>
          {' '}
          {words.args.readAs}{' '}
          <strong>
            <Marked text={parts.unicode} line />
          </strong>
        </>
      )}
      {parts.port !== null && ` ${words.args.port(parts.port)}`}
      {parts.written !== null && (
        <>
          {' '}
          {words.args.writtenAs} <Marked text={parts.written} line />
        </>
      )}
      {parts.userInfo && <span className="mark">{words.args.userInfo}</span>}
      {parts.mixed !== null && <span className="mark">{words.args.mixedHost(parts.mixed)}</span>}
      {parts.plain && <span className="mark">{words.args.plainScheme(parts.scheme)}</span>}
    </div>
  );
}
