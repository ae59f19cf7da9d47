import type { Decision } from '../../shared/decision.js';
import type { Proposal, Submission, Unread } from '../../shared/proposal.js';
import { accepted, type Outcome } from '../../shared/refusal.js';
import { focusCard } from '../app/focus.js';
import { note, noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { useQueue } from '../queue/queue-store.js';
import { useRun } from '../run/run-store.js';
import { said } from '../run/said.js';
import { useSettings } from '../settings/settings-store.js';
import { text } from '../text.js';
import { propose } from './control-store.js';
import { IDLE, useDecision } from './decision-store.js';
import { goBack } from './go-back.js';
import { flushDrafts } from './save-draft.js';

/**
 * The only way out for a decision: the one file that calls `decide:submit` and proposes one to the approve control.
 * Shows as saved only what main says is saved (I4).
 */
export async function send(submission: Submission): Promise<void> {
  if (useDecision.getState().busy) return;
  useDecision.setState({ busy: true, refusal: null });
  void flushDrafts();
  const reply = await ask('decide:submit', submission);
  useDecision.setState({ busy: false, mode: IDLE });
  await taken(submission.id, wordsFor(submission), reply);
}

/** What releases a call is proposed: the approve control confirms it, and only for exactly `base`. */
export async function sendByControl(submission: Submission, unread: readonly Unread[], base: string): Promise<void> {
  await byControl(submission.id, wordsFor(submission), base, { act: 'decide', submission, unread: [...unread] });
}

/** Lets a turn run again that may have run (R7): a decision like any other, by an act of its own. */
export async function sendRetry(proposal: Proposal & { act: 'retry_turn' }, turn: number, base: string): Promise<void> {
  await byControl(proposal.id, text.retry.said(turn), base, proposal);
}

async function byControl(id: string, words: string, base: string, proposal: Proposal): Promise<void> {
  void flushDrafts();
  useDecision.setState({ mode: { kind: 'armed', base, by: 'control' }, refusal: null });
  const reply = await propose(proposal);
  if (reply.ok && reply.value.outcome === 'withdrawn') return;
  if (useDecision.getState().mode.kind === 'armed') useDecision.setState({ mode: IDLE });
  if (!reply.ok) return taken(id, words, reply);
  if (reply.value.outcome === 'decided') await taken(id, words, accepted(reply.value.decision));
  else goBack(reply.value.outcome === 'left' ? reply.value.action : null);
}

function wordsFor(submission: Submission): string {
  const { detail } = useRun.getState();
  const names = submission.verdicts
    .map((v) => detail?.calls.find((call) => call.index === v.index)?.name ?? '')
    .map(said);
  return detail?.goesOn ? text.goOn.said : text.decided.words(submission, names);
}

/** What main took, or did not take. The focus is never lost: it stands on the card afterwards. */
async function taken(id: string, words: string, reply: Outcome<Decision>): Promise<void> {
  if (!reply.ok) {
    useDecision.setState({ refusal: { id, refusal: reply.refusal } });
    focusCard();
    await Promise.all([useRun.getState().reload(), useQueue.getState().load()]);
    focusCard();
    return;
  }
  focusCard();
  useDecision.setState({ last: { ids: [id], words, notBefore: reply.value.notBefore } });
  useDecision.getState().settle(id);
  // With an undo window the undo bar says so.
  if (Date.parse(reply.value.notBefore) <= Date.now()) note(text.decided.recorded(words));
  await useQueue.getState().load();
  const moves = useSettings.getState().settings.selectNextAfterDecision;
  const stillThere = useQueue.getState().selected === id;
  if (!(moves && stillThere && (await useQueue.getState().selectNextOpen()))) await useRun.getState().reload();
  focusCard();
}

/** Takes the last decision, or each of the last act, back, while main allows it; otherwise says what happened (H9). */
export async function undo(ids: readonly string[]): Promise<void> {
  const [only] = ids;
  if (only !== undefined && ids.length === 1) {
    const reply = await ask('decide:undo', only);
    if (!reply.ok) {
      noteRefusal(reply.refusal);
    } else {
      note(text.undo.done);
      useQueue.getState().select(only);
    }
  } else await undoMany(ids);
  useDecision.setState({ last: null });
  await Promise.all([useQueue.getState().load(), useRun.getState().reload()]);
  focusCard();
}

/** Each is told that could not be taken back, with its own reason. The selection stays where it is. */
async function undoMany(ids: readonly string[]): Promise<void> {
  const reply = await ask('decide:undo-many', [...ids]);
  if (!reply.ok) {
    noteRefusal(reply.refusal);
    return;
  }
  const refused = reply.value.flatMap(({ answer }) => (answer.ok ? [] : [answer.refusal]));
  note(text.bulk.tookBack(ids.length - refused.length, ids.length));
  const [first] = refused;
  if (first) noteRefusal(first);
}
