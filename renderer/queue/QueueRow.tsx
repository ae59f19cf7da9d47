import { memo } from 'react';
import { DAY_MS, HOUR_MS } from '../../shared/queue.js';
import type { QueueItem } from '../../shared/queue-rows.js';
import type { RunRow } from '../../shared/run-row.js';
import { ageOf, span } from '../app/format.js';
import { markUpTo, toggleMark } from '../bulk/marks.js';
import { GRACE_MS } from '../decision/guard.js';
import { useGuard } from '../decision/guard-store.js';
import { OneLine } from '../run/OneLine.js';
import { said } from '../run/said.js';
import { text as words } from '../text.js';
import { useQueue } from './queue-store.js';
import { toolWords } from './tool-words.js';

interface Props {
  item: Extract<QueueItem, { kind: 'run' }>;
  index: number;
  count: number;
  selected: boolean;
  /** Marked, to be decided together with others; null while nothing is marked. */
  marked: boolean | null;
  now: number;
  onSelect: (id: string) => void;
  onOpen: () => void;
  onFold: (at: number) => void;
}

export function rowDomId(index: number): string {
  return `row-${index}`;
}

/** One run in two lines: tools and time left; where it comes from, and its age. */
export const QueueRow = memo(function QueueRow(props: Props) {
  const { item, index, count, selected, marked, now, onSelect, onOpen, onFold } = props;
  const { row, same, inside } = item;
  const { names, more } = toolWords(row);
  const own = row.other ? (row.classification ?? words.queue.other) : null;
  // Said once: the note of such a row is its classification.
  const note = row.status === 'waiting' || row.note === own ? '' : row.note;
  const left = row.expiresAt === null ? null : Date.parse(row.expiresAt) - now;
  return (
    // The listbox holds the focus and the keys; an option takes the pointer only.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      id={rowDomId(index)}
      role="option"
      className={`row ${stripe(row)} ${row.needsPerson ? '' : 'quiet'} ${inside ? 'inside' : ''}`}
      data-testid="row"
      data-item-id={row.id}
      data-status={row.status}
      data-effect={row.effect}
      aria-selected={selected}
      aria-checked={marked ?? undefined}
      aria-posinset={index + 1}
      aria-setsize={count}
      onClick={(event) => {
        // The click that raises the window only raises it; one right after the rows moved was meant for another row.
        const raises = useGuard.getState().guard.press?.dead === 'window_inactive';
        const moved = performance.now() - useQueue.getState().movedAt < GRACE_MS;
        if (raises || moved) return;
        if (event.ctrlKey || event.metaKey) void toggleMark(row.id);
        else if (event.shiftKey) void markUpTo(index);
        else onSelect(row.id);
      }}
      onDoubleClick={onOpen}
    >
      <i className="stripe" aria-hidden="true" />
      <span className="line">
        {own === null ? (
          <strong className="tools">
            <OneLine text={row.status === 'unreadable' ? row.runId : names} />
            {more > 0 && <span className="faint"> {words.queue.more(more)}</span>}
          </strong>
        ) : (
          <span className="tools own" data-testid="classified" title={said(own)}>
            <OneLine text={own} />
          </span>
        )}
        {row.decidedByRule !== undefined && <span className="tag by-rule">{words.history.byRule}</span>}
        {same && <Same same={same} onFold={() => onFold(index)} />}
        <span className={`num when ${hurry(row, left)}`}>{whenWords(row, left)}</span>
      </span>
      <span className="line">
        <span className="from">
          <OneLine text={row.source} />
          {row.step !== null && ` · ${words.step(row.step)}`}
          {note !== '' && (
            <>
              {' · '}
              <OneLine text={note} />
            </>
          )}
          {row.status === 'waiting' && row.preview !== '' && (
            <>
              {' · '}
              <OneLine text={row.preview} />
            </>
          )}
        </span>
        <span className="num age">{ageOf(row.takenInAt ?? row.createdAt, now) ?? ''}</span>
      </span>
      <span className="visually-hidden">
        {marked === true && `${words.bulk.markedRow}, `}
        {own === null ? `${words.effect[row.effect]}, ${words.status[row.status]}` : words.queue.other}
        {same && `, ${words.queue.sameSaid(same.count, same.open, same.shown)}`}
      </span>
    </div>
  );
});

/** How many ask the same; a press shows them, or folds them again. Keys do it from the list: → and ←. */
function Same({ same, onFold }: { same: NonNullable<Props['item']['same']>; onFold: () => void }) {
  return (
    // An option takes no other control into it: this is for the pointer, and what it says is said with the row.
    <span
      className="same num"
      data-testid="same"
      role="presentation"
      aria-hidden="true"
      title={words.queue.sameSaid(same.count, same.open, same.shown)}
      onClick={(event) => {
        event.stopPropagation();
        onFold();
      }}
    >
      ×{same.open > 0 ? same.open : same.count} {same.shown ? '▾' : '▸'}
    </span>
  );
}

/** A warning before it expires: amber within a day, red within an hour. */
function hurry(row: RunRow, left: number | null): string {
  if (row.other || row.status !== 'waiting' || left === null || left >= DAY_MS) return '';
  return left < HOUR_MS ? 'last-hour' : 'last-day';
}

/** Time left, or the state; for what waits for nobody, which system it is of. */
function whenWords(row: RunRow, left: number | null): string {
  if (row.other) return row.system;
  return row.status === 'waiting' && left !== null ? words.timeLeft(left, span) : words.status[row.status];
}

/** The one colour of a row: its state when that needs a word, else its effect class. */
function stripe(row: RunRow): string {
  if (row.status === 'unknown_outcome') return 'unknown';
  if (row.status === 'unreadable') return 'unreadable';
  return row.needsPerson ? row.effect : 'none';
}
