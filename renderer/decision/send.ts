import type { Decision } from '../../shared/decision.js';
import type { Binding, Submission } from '../../shared/ipc.js';
import type { Outcome } from '../../shared/refusal.js';
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
 * The only way out for a decision: the one file that calls `decide:submit` and `resume:retry-turn`, so that the control
 * can move to an origin of its own. Shows as saved only what main says is saved (I4).
 */
export async function send(submission: Submission): Promise<void> {
  const { detail } = useRun.getState();
  const decided = submission.verdicts
    .map((v) => detail?.calls.find((call) => call.index === v.index)?.name ?? '')
    .map(said);
  const words = detail?.goesOn ? text.goOn.said : text.decided.words(submission, decided);
  await decideBy(submission.id, words, () => ask('decide:submit', submission));
}

/** Lets a turn run again that may have run (R7): a decision like any other, by a channel of its own. */
export async function sendRetry(id: string, binding: Binding, turn: number, repair: boolean): Promise<void> {
  await decideBy(id, text.retry.said(turn), () => ask('resume:retry-turn', id, binding, { repair }));
}

async function decideBy(id: string, words: string, submit: () => Promise<Outcome<Decision>>): Promise<void> {
  const decision = useDecision.getState();
  if (decision.busy) return;
  useDecision.setState({ busy: true, refusal: null });
  void flushDrafts();
  const reply = await submit();
  useDecision.setState({ busy: false, mode: IDLE });
  if (!reply.ok) {
    useDecision.setState({ refusal: { id, refusal: reply.refusal } });
    await Promise.all([useRun.getState().reload(), useQueue.getState().load()]);
    focusCard();
    return;
  }
  useDecision.setState({ last: { id, words, notBefore: reply.value.notBefore } });
  useDecision.getState().settle(id);
  // With an undo window the undo bar says so.
  if (Date.parse(reply.value.notBefore) <= Date.now()) note(text.decided.recorded(words));
  await useQueue.getState().load();
  const moves = useSettings.getState().settings.selectNextAfterDecision;
  const stillThere = useQueue.getState().selected === id;
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
