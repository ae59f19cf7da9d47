import type { CallView } from '../../shared/ipc.js';
import { childPath } from '../../shared/json-path.js';
import { text as words } from '../text.js';
import { type Arguments, type Field, inReadingOrder } from './fields.js';
import { JsonValue } from './JsonValue.js';
import { JumpBack } from './JumpBack.js';
import { argumentSpot } from './jump.js';
import { LongField } from './LongField.js';
import { LongText } from './LongText.js';
import { Marked } from './Marked.js';
import { isLongText, placeKey, RAW } from './places.js';
import { useRun } from './run-store.js';

interface Props {
  itemId: string;
  call: CallView;
  text: string;
  args: Arguments;
}

export function ArgumentBody({ itemId, call, text, args }: Props) {
  const reached = useRun((s) => s.reached);
  const markReached = useRun((s) => s.markReached);
  if (args.kind === 'none') return <p className="args-note">{words.args.none[args.received]}</p>;
  if (args.kind === 'unreadable') {
    const key = placeKey(itemId, call, RAW);
    const bounded = isLongText(text);
    return (
      <>
        <p className="args-note warn">{words.args.unreadable(args.fault.text)}</p>
        <LongText
          text={text}
          label={words.args.exact}
          bounded={bounded}
          {...(bounded && { onReached: () => markReached(key) })}
        />
      </>
    );
  }
  const { short, long } = inReadingOrder(args.fields);
  return (
    <>
      {args.asString && <p className="args-note">{words.args.cameAsString}</p>}
      {call.sentAs === 'not_sendable' && <p className="args-note warn">{words.args.noObject}</p>}
      {args.empty && <p className="args-note">{words.args.emptyObject}</p>}
      {short.length > 0 && (
        <dl className="fields">
          {short.map((field) => (
            <div className="field" key={field.position} data-path={pathOf(field)}>
              <dt>
                {field.key === null ? <span className="faint">{words.args.value}</span> : <Marked text={field.key} />}
                <JumpBack spot={argumentSpot(pathOf(field))} />
                {field.repeated && <span className="mark">{words.args.repeated}</span>}
              </dt>
              <dd>
                <JsonValue source={args.source} node={field.node} path={pathOf(field)} name={field.key} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {long.map((field) => {
        const key = placeKey(itemId, call, String(field.position));
        return (
          <LongField
            key={key}
            source={args.source}
            field={field}
            reached={reached.has(key)}
            onReached={() => markReached(key)}
          />
        );
      })}
    </>
  );
}

const pathOf = ({ key }: Field): string => (key === null ? '' : childPath('', key));
