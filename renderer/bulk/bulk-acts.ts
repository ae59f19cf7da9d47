import type { BulkList, BulkRun } from '../../shared/bulk.js';
import type { DecidedMany, Submission } from '../../shared/proposal.js';
import type { Refusal } from '../../shared/refusal.js';
import { announce, focusCard } from '../app/focus.js';
import { noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import type { Gesture } from '../decision/actions.js';
import { focusControl, propose } from '../decision/control-store.js';
import { useDecision } from '../decision/decision-store.js';
import { goBack } from '../decision/go-back.js';
import { useGuard } from '../decision/guard-store.js';
import { useQueue } from '../queue/queue-store.js';
import { useRun } from '../run/run-store.js';
import { useSettings } from '../settings/settings-store.js';
import { text } from '../text.js';
import { allLeftOut, bulkShown, MARKING, useBulk } from './bulk-store.js';
import { type Group, groupInFront, groupsOf } from './groups.js';

type Said = 'approve' | 'reject';

/** Whether this gesture may act on the marked runs that are in front now. */
function admitted(gesture: Gesture): boolean {
  const shown = bulkShown(useBulk.getState());
  if (shown === null || useBulk.getState().busy || useDecision.getState().busy) return false;
  const attempt = gesture(shown);
  return attempt.madeFor === shown && useGuard.getState().refuses(attempt) === null;
}

/** The group that an act takes now. */
export function currentGroup(): Group | null {
  const { marks, chosen } = useBulk.getState();
  return groupInFront(groupsOf(marks), chosen, useQueue.getState().selected);
}

/** Why the group cannot be approved together, in words; null when it may be asked for. */
export function whyNotTogether({ tool, effect }: Group, readOnly: string | null): string | null {
  if (readOnly !== null) return readOnly;
  if (tool === null) return text.bulk.severalTools;
  return effect === 'destructive' ? text.bulk.dangerous : null;
}

/** Lists what of the marked runs can be decided together, as main reads it now. */
async function listOf(group: Group, said: Said): Promise<BulkList | null> {
  useBulk.setState({ busy: true });
  const reply = await ask(
    'bulk:read',
    group.rows.map(({ id }) => id),
    said,
  );
  useBulk.setState({ busy: false });
  if (reply.ok) return reply.value;
  noteRefusal(reply.refusal);
  return null;
}

function lacksName(): boolean {
  if (useSettings.getState().settings.reviewer.trim() !== '') return false;
  useDecision.getState().setMode({ kind: 'naming' });
  return true;
}

/** Proposes the marked runs of one tool to the approve control, which lists them all and confirms. */
export async function approveMarked(gesture: Gesture): Promise<void> {
  const { phase } = useBulk.getState();
  if (phase.kind === 'approving') return focusControl();
  if (phase.kind !== 'marking' || !admitted(gesture)) return;
  const group = currentGroup();
  if (group === null) return;
  const why = whyNotTogether(group, useSettings.getState().health?.readOnly ?? null);
  if (why !== null) return announce(why);
  if (lacksName()) return;
  const shown = bulkShown(useBulk.getState());
  const list = await listOf(group, 'approve');
  // Other runs were marked, or it was left, while main read.
  if (list === null || bulkShown(useBulk.getState()) !== shown) return;
  if (list.runs.length === 0) return tell('approve', list, null, null);
  useBulk.getState().setPhase({ kind: 'approving', list });
  const reply = await propose({ act: 'decide_many', submissions: list.runs.map((run) => approval(run)) });
  if (!reply.ok) return tell('approve', list, null, reply.refusal);
  switch (reply.value.outcome) {
    case 'decided_many':
      return tell('approve', allLeftOut(list, reply.value.leftOut), reply.value.decided, null);
    case 'left':
      useBulk.getState().leave();
      return goBack(reply.value.action);
    default:
      useBulk.getState().leave();
  }
}

/** Opens the form for one reason for all of them, under the list of exactly what will be rejected. */
export async function openRejectMarked(gesture: Gesture): Promise<void> {
  if (useBulk.getState().phase.kind !== 'marking' || !admitted(gesture)) return;
  const group = currentGroup();
  if (group === null) return;
  if (group.tool === null) return announce(text.bulk.severalTools);
  if (lacksName()) return;
  const shown = bulkShown(useBulk.getState());
  const list = await listOf(group, 'reject');
  if (list === null || bulkShown(useBulk.getState()) !== shown) return;
  if (list.runs.length === 0) return tell('reject', list, null, null);
  useBulk.getState().setPhase({ kind: 'rejecting', list, reason: '' });
}

/** Rejects exactly what the list named when it was opened, with one reason. */
export async function rejectMarked(gesture: Gesture): Promise<void> {
  const { phase } = useBulk.getState();
  if (phase.kind !== 'rejecting' || !admitted(gesture)) return;
  const { list, reason } = phase;
  useBulk.setState({ busy: true });
  const reply = await ask(
    'decide:submit-many',
    list.runs.map((run) => rejection(run, reason.trim() || text.reject.defaultReason)),
  );
  useBulk.setState({ busy: false });
  await tell('reject', list, reply.ok ? reply.value : null, reply.ok ? null : reply.refusal);
}

const bound = ({ id, binding }: BulkRun) => ({ id, binding });

function approval(run: BulkRun): Submission {
  const verdicts = run.calls.map(({ index, argumentsSha256 }) => ({
    index,
    argumentsSha256,
    verdict: 'approve' as const,
  }));
  return { ...bound(run), verdicts };
}

function rejection(run: BulkRun, reason: string): Submission {
  const verdicts = run.calls.map(({ index, argumentsSha256 }) => ({
    index,
    argumentsSha256,
    verdict: 'reject' as const,
    reason,
  }));
  return { ...bound(run), verdicts };
}

/** Says what became of each. What was decided is marked no more; the selection stays where it was. */
async function tell(said: Said, list: BulkList, decided: DecidedMany | null, refusal: Refusal | null): Promise<void> {
  const taken = (decided?.told ?? []).flatMap(({ id, answer }) => (answer.ok ? [{ id, decision: answer.value }] : []));
  const marks = new Map([...useBulk.getState().marks].filter(([id]) => !taken.some((one) => one.id === id)));
  useBulk.setState({ marks, phase: { kind: 'told', said, list, decided, refusal } });
  const [first] = taken;
  if (first !== undefined) {
    const words = text.bulk.decided(said, taken.length, list.runs[0]?.calls[0]?.name ?? '');
    for (const { id } of taken) useDecision.getState().settle(id);
    useDecision.setState({ last: { ids: taken.map(({ id }) => id), words, notBefore: first.decision.notBefore } });
    announce(words);
  }
  focusCard();
  await Promise.all([useQueue.getState().load(), useRun.getState().reload()]);
  focusCard();
}

/** Back to the card; what is still marked stays marked. */
export function closeTold(): void {
  useBulk.getState().setPhase(MARKING);
  focusCard();
}
