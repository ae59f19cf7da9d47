import { argumentsWarnings } from '../../../shared/argument-warnings.js';
import type { PendingCall, Warning } from '../../../shared/checkpoint.js';
import { pathText } from '../../../shared/json-path.js';
import { collidingIds, duplicatesElsewhere, emptyIds, type Places, transcriptWarnings } from '../batch-warnings.js';
import type { History } from './history.js';
import { QUESTION_TOOL } from './names.js';
import type { View } from './parsed-view.js';
import { type EvidenceFault, type PendingItem, sameText } from './pending.js';
import { questionsOf } from './question.js';
import { rawMember } from './raw-object.js';

interface Facts {
  view: View;
  history: History;
  items: readonly PendingItem[];
  pending: readonly PendingCall[];
  faults: readonly EvidenceFault[];
}

/** Everything about a readable checkpoint that its reviewer must know. */
export function starweaverWarnings(facts: Facts): Warning[] {
  const { view, history, items, pending, faults } = facts;
  const state = pathText([...view.base, 'state']);
  const places: Places = {
    batch: state,
    call: (index) => items[index]?.path ?? state,
    history: `${state}.message_history`,
    message: (index) => history.origins[index] ?? `${state}.message_history`,
  };
  return [
    ...faults.map(({ name, path, text }) => ({ code: name, path, text, blocksApproval: true })),
    ...items.flatMap((item, index) => [...needsResult(item, index), ...isQuestion(item, index)]),
    ...collidingIds(pending, places),
    ...emptyIds(pending, places, 'tool_call_id'),
    ...items.flatMap((item) => argumentsWarnings(item.arguments, item.argumentsPath)),
    ...items.flatMap((item, index) => invalidArguments(item, index)),
    ...duplicatesElsewhere(view.duplicates, (path) => items.some((item) => isBelow(path, item.argumentsPath))),
    ...transcriptWarnings(history.messages, pending, places),
    ...[...history.named].map(([kind, path]) => onlyNamed(kind, path)),
    ...usageDiffers(view),
  ];
}

/** No approval runs it: whoever does the work gives the result (S12). */
function needsResult(item: PendingItem, index: number): Warning[] {
  if (item.needs === 'approval') return [];
  const text = `call ${index + 1} (${item.name}) was deferred: it waits for a result, not for an approval; the batch goes on when every call has its answer`;
  return [{ code: 'needs_result', path: item.path, text, blocksApproval: false }];
}

function isQuestion(item: PendingItem, index: number): Warning[] {
  if (item.name !== QUESTION_TOOL || item.needs === 'result') return [];
  const clear = questionsOf(item.name, item.arguments) !== null;
  const text = clear
    ? `call ${index + 1} asks the user a question: answer it, or reject it; no approval answers it`
    : `call ${index + 1} asks the user something, and nobody can say what: it can only be rejected`;
  return [{ code: 'needs_clarification', path: item.path, text, blocksApproval: !clear }];
}

function invalidArguments(item: PendingItem, index: number): Warning[] {
  const error = item.call?.invalid ?? null;
  if (error === null) return [];
  const text = `the model wrote no JSON for call ${index + 1} (${error}); its text would be executed as a string`;
  return [{ code: 'arguments_invalid', path: item.argumentsPath, text, blocksApproval: false }];
}

function onlyNamed(kind: string, path: string): Warning {
  const text = `the history holds parts of the kind ${kind}; continuing here only names them to the model`;
  return { code: 'parts_only_named', path, text, blocksApproval: false };
}

function usageDiffers(view: View): Warning[] {
  const [evidence, state] = [rawMember(view.text, view.resume, 'usage'), rawMember(view.text, view.state, 'usage')];
  if (evidence === undefined || state === undefined || sameText(evidence, state)) return [];
  const path = pathText([...view.base, 'resume', 'usage']);
  return [{ code: 'usage_differs', path, text: 'resume.usage and state.usage differ', blocksApproval: false }];
}

function isBelow(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}.`) || path.startsWith(`${above}[`);
}
