import type { Proposal } from '../../shared/proposal.js';
import type { RunRow } from '../../shared/run-row.js';
import { note, noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { propose } from '../decision/control-store.js';
import { goBack } from '../decision/go-back.js';
import { useQueue } from '../queue/queue-store.js';
import { text } from '../text.js';
import { useRun } from './run-store.js';

async function refresh(): Promise<void> {
  await Promise.all([useRun.getState().reload(), useQueue.getState().load()]);
}

/** Says where an undecided run goes on: here, or in its agent's own process (H13). */
export async function changeRoute(row: RunRow): Promise<void> {
  const to = row.route === 'here' ? 'handed_over' : 'here';
  // What the reviewer changes is no change under their eyes.
  shownRoute(row.id, to);
  const reply = await ask('run:route', row.id, to);
  if (!reply.ok) {
    shownRoute(row.id, row.route);
    noteRefusal(reply.refusal);
  }
  await refresh();
}

function shownRoute(id: string, route: RunRow['route']): void {
  const { detail } = useRun.getState();
  if (detail?.row.id === id) useRun.setState({ detail: { ...detail, row: { ...detail.row, route } } });
}

/** Claims and continues, or goes on with what was cut short. The approve control confirms, main says why not. */
export const continueRun = (id: string): Promise<void> => byControl({ act: 'continue', id });

/** Sends the calls again of which nobody knows whether they ran; only where each may be repeated (K13). */
export const dispatchAgain = (id: string): Promise<void> => byControl({ act: 'redispatch', id });

async function byControl(proposal: Proposal): Promise<void> {
  const reply = await propose(proposal);
  if (!reply.ok) noteRefusal(reply.refusal);
  if (!reply.ok || reply.value.outcome === 'left')
    goBack(reply.ok && 'action' in reply.value ? reply.value.action : null);
  await refresh();
}

export async function cancelRun(id: string): Promise<void> {
  const reply = await ask('resume:cancel', id);
  if (reply.ok) note(text.outcome.stopping);
  else noteRefusal(reply.refusal);
  await refresh();
}

/** Frees a handed-over claim under which no call was started (H13). */
export async function releaseRun(id: string): Promise<void> {
  const reply = await ask('resume:release', id);
  if (!reply.ok) noteRefusal(reply.refusal);
  await refresh();
}

/** Says, in the reviewer's name, that the claim of somebody else was given up there. False when main refused. */
export async function claimGivenUp(id: string, digest: string, how: string): Promise<boolean> {
  const reply = await ask('resume:claim-given-up', id, { digest, note: how });
  if (reply.ok) note(text.foreignClaim.done);
  else noteRefusal(reply.refusal);
  await refresh();
  return reply.ok;
}

export async function objectTo(id: string, words: string): Promise<boolean> {
  const reply = await ask('decide:object', id, words);
  if (!reply.ok) noteRefusal(reply.refusal);
  await refresh();
  return reply.ok;
}

/** Writes the original bytes where the reviewer says. */
export async function exportRun(id: string): Promise<void> {
  const reply = await ask('run:export', id);
  if (!reply.ok) noteRefusal(reply.refusal);
  else if (reply.value) note(text.unreadable.exported);
}
