import type { Submission } from '../../shared/ipc.js';
import { focusCard } from '../app/focus.js';
import { note, noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { useQueue } from '../queue/queue-store.js';
import { useRun } from '../run/run-store.js';
import { said } from '../run/said.js';
import { useSettings } from '../settings/settings-store.js';
import { text } from '../text.js';
import { IDLE, useDecision } from './decision-store.js';
import { flushDrafts } from './save-draft.js';

/**
 * The only way out for a decision: the one place that calls `decide:submit`, so that the control can move to an origin
 * of its own. Shows as saved only what main says is saved (I4).
 */
export async function send(submission: Submission): Promise<void> {
  const decision = useDecision.getState();
  if (decision.busy) return;
  useDecision.setState({ busy: true, refusal: null });
  const { detail } = useRun.getState();
  void flushDrafts();
  const reply = await ask('decide:submit', submission);
  useDecision.setState({ busy: false, mode: IDLE });
  if (!reply.ok) {
    useDecision.setState({ refusal: { id: submission.id, refusal: reply.refusal } });
    await Promise.all([useRun.getState().reload(), useQueue.getState().load()]);
    focusCard();
    return;
  }
  const decided = submission.verdicts
    .map((v) => detail?.calls.find((call) => call.index === v.index)?.name ?? '')
    .map(said);
  const words = text.decided.words(submission, decided);
  useDecision.setState({ last: { id: submission.id, words, notBefore: reply.value.notBefore } });
  useDecision.getState().settle(submission.id);
  // With an undo window the undo bar says so.
  if (Date.parse(reply.value.notBefore) <= Date.now()) note(text.decided.recorded(words));
  await useQueue.getState().load();
  const moves = useSettings.getState().settings.selectNextAfterDecision;
  const stillThere = useQueue.getState().selected === submission.id;
  if (!(moves && stillThere && useQueue.getState().selectNextOpen())) await useRun.getState().reload();
  focusCard();
}

/** Takes the last decision back, while main allows it; otherwise says what happened (H9). */
export async function undo(id: string): Promise<void> {
  const reply = await ask('decide:undo', id);
  if (!reply.ok) {
    noteRefusal(reply.refusal);
  } else {
    note(text.undo.done);
    useQueue.getState().select(id);
  }
  useDecision.setState({ last: null });
  await Promise.all([useQueue.getState().load(), useRun.getState().reload()]);
  focusCard();
}
