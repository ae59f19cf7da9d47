import { MOST_BULK } from '../../shared/bulk.js';
import type { RunRow } from '../../shared/run-row.js';
import { announce } from '../app/focus.js';
import { call as ask } from '../bridge.js';
import { useQueue } from '../queue/queue-store.js';
import { text } from '../text.js';
import { useBulk } from './bulk-store.js';

/** Marks or unmarks the run of a row; a row of equal calls stands for all of them. The selection stays where it is. */
export async function toggleMark(id: string | null): Promise<void> {
  const rows = await rowsFor(id, 'row');
  if (rows.length === 0) return announce(text.bulk.cannotMark);
  const { marks } = useBulk.getState();
  put(rows, !rows.every((row) => marks.has(row.id)));
}

/** Marks every run of the list with the tool and class of this one. */
export async function markSameTool(id: string | null): Promise<void> {
  const rows = await rowsFor(id, 'tool');
  if (rows.length === 0) return announce(text.bulk.cannotMark);
  put(rows, true);
}

/** Marks the run in front, moves by one, and marks that one too. */
export async function extendMarks(by: 1 | -1): Promise<void> {
  const before = useQueue.getState().selected;
  useQueue.getState().move(by);
  const after = useQueue.getState().selected;
  const rows = [...(await rowsFor(before, 'row')), ...(after === before ? [] : await rowsFor(after, 'row'))];
  if (rows.length > 0) put(rows, true);
}

/** Marks the rows from the selected one to this one, as far as they are on screen or near it. */
export async function markUpTo(index: number): Promise<void> {
  const { at, items } = useQueue.getState();
  const [from, to] = [Math.min(at < 0 ? index : at, index), Math.max(at, index)];
  const ids = [...items].flatMap(([place, item]) =>
    place >= from && place <= to && item.kind === 'run' ? [item.row.id] : [],
  );
  const rows = (await Promise.all(ids.slice(0, MOST_BULK).map((id) => rowsFor(id, 'row')))).flat();
  if (rows.length > 0) put(rows, true);
}

async function rowsFor(id: string | null, which: 'row' | 'tool'): Promise<RunRow[]> {
  const list = useQueue.getState().state?.list;
  if (list === undefined || id === null) return [];
  const reply = await ask('queue:marks', list, id, which);
  return reply.ok ? reply.value.rows : [];
}

function put(rows: readonly RunRow[], on: boolean): void {
  const { marks, mark } = useBulk.getState();
  const room = MOST_BULK - marks.size;
  const fresh = on ? rows.filter(({ id }) => !marks.has(id)) : rows;
  const taken = on ? fresh.slice(0, room) : fresh;
  mark(taken, on);
  const { size } = useBulk.getState().marks;
  announce(taken.length < fresh.length ? text.bulk.most(MOST_BULK) : text.bulk.marked(size));
}
