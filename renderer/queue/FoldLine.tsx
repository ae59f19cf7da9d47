import type { QueueItem } from '../../shared/queue-rows.js';
import { count } from '../app/format.js';
import { text as words } from '../text.js';
import { rowDomId } from './QueueRow.js';

interface Props {
  item: Extract<QueueItem, { kind: 'old' }>;
  index: number;
  count: number;
  selected: boolean;
  onToggle: () => void;
}

/** Where what is older than a week is folded: a press, or Enter from the list, opens and closes it. */
export function FoldLine({ item, index, count: setSize, selected, onToggle }: Props) {
  return (
    // The listbox holds the focus and the keys; an option takes the pointer only.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      id={rowDomId(index)}
      role="option"
      className="row old-line"
      data-testid="old"
      aria-selected={selected}
      aria-posinset={index + 1}
      aria-setsize={setSize}
      onClick={onToggle}
    >
      <span>
        <span aria-hidden="true">{item.shown ? '▾' : '▸'}</span> {words.queue.old(count(item.runs), item.runs)}
      </span>
      <span className="visually-hidden">{item.shown ? words.queue.unfolded : words.queue.folded}</span>
    </div>
  );
}
