import { Marked } from './Marked.js';

/** Facts of a record in its system's own names and words. */
export function FactList({ facts }: { facts: readonly { name: string; value: string }[] }) {
  return (
    <dl className="fact-list">
      {facts.map(({ name, value }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name may stand twice; the list never moves
        <div key={i}>
          <dt>
            <Marked text={name} />
          </dt>
          <dd>
            <Marked text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
