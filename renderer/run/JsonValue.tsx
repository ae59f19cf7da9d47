import type { JsonNode } from '../../shared/json.js';
import { childPath } from '../../shared/json-path.js';
import { secretSpans } from '../../shared/secret-spans.js';
import { count } from '../app/format.js';
import { text as words } from '../text.js';
import { CommandText, isCommand } from './CommandText.js';
import { EncodedValue } from './EncodedValue.js';
import { JsonInString } from './JsonInString.js';
import { JumpBack } from './JumpBack.js';
import { argumentSpot } from './jump.js';
import { LongText } from './LongText.js';
import { Marked } from './Marked.js';
import { prettyLines } from './pretty.js';
import { UrlHost } from './UrlHost.js';

/** A longer text says how long it is (C57). */
const SAID_LENGTH = 120;
/** Deeper than this a value is laid out as text instead of as boxes in boxes. */
const BOXES = 5;

interface Props {
  source: string;
  node: JsonNode;
  /** Where it stands in the arguments. */
  path: string;
  /** The key that it is the value of. */
  name: string | null;
  depth?: number;
}

/** One value of the arguments, whole: decoded strings in quotes, every other token as written. */
export function JsonValue({ source, node, path, name, depth = 0 }: Props) {
  switch (node.kind) {
    case 'string':
      return <StringValue value={node.value} name={name} />;
    case 'number':
    case 'boolean':
    case 'null':
      return (
        <span className={`token ${node.kind}`} data-kind={node.kind}>
          <Marked text={source.slice(node.start, node.end)} />
        </span>
      );
    case 'object':
    case 'array': {
      const isEmpty = node.kind === 'object' ? node.entries.length === 0 : node.items.length === 0;
      if (isEmpty) return <span className="token">{words.args.emptyValue(node.kind)}</span>;
      if (depth >= BOXES) return <LongText text={prettyLines(source, node).join('\n')} label={words.args.value} />;
      const children =
        node.kind === 'object'
          ? node.entries.map(({ key, value }) => ({ label: key, value, at: childPath(path, key), inner: key }))
          : node.items.map((value, i) => ({ label: String(i), value, at: childPath(path, i), inner: name }));
      return (
        <dl className={`fields nested ${node.kind}`}>
          {children.map(({ label, value, at, inner }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: keys may repeat; the position is the identity
            <div className="field" key={i} data-path={at}>
              <dt>
                {node.kind === 'array' ? <span className="faint">{label}</span> : <Marked text={label} />}
                <JumpBack spot={argumentSpot(at)} />
              </dt>
              <dd>
                <JsonValue source={source} node={value} path={at} name={inner} depth={depth + 1} />
              </dd>
            </div>
          ))}
        </dl>
      );
    }
  }
}

function StringValue({ value, name }: { value: string; name: string | null }) {
  if (value.includes('\n'))
    return (
      <div className="string-block">
        <LongText text={value} label={words.args.value} name={name} />
        <JsonInString value={value} />
      </div>
    );
  if (isCommand(name)) return <CommandText value={value} name={name} />;
  return (
    <>
      <span className="token string" data-kind="string">
        <span className="quote">"</span>
        <Marked text={value} secrets={secretSpans(value, name)} reveal />
        <span className="quote">"</span>
      </span>
      {value.length > SAID_LENGTH && (
        <span className="faint length" data-gutter>
          {words.args.length(count(value.length), 1)}
        </span>
      )}
      <UrlHost value={value} />
      <EncodedValue value={value} />
      <JsonInString value={value} />
    </>
  );
}
