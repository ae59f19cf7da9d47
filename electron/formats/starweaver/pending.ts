import type { ToolCall } from '../../../shared/checkpoint.js';
import { type JsonNode, member, raw, readJsonText } from '../../../shared/json.js';
import { sameJson } from '../../../shared/json-compare.js';
import { pathText } from '../../../shared/json-path.js';
import { invalidError } from './arguments.js';
import { approvalId, deferredId, type UpstreamName } from './names.js';
import { listOf, objectOf, textOf } from './nodes.js';
import type { View } from './parsed-view.js';
import { callOf, callParts } from './response-message.js';

/** Binds an approval to the exact arguments that were to be reviewed (FORMATS 4.3). */
export const REVIEWED_ARGUMENTS = 'starweaver.approval_tool_arguments';

/** A call as the checkpoint has it. */
interface FoundCall extends ToolCall {
  path: string;
  /** Why the model's arguments were no JSON; null when they were. */
  invalid: string | null;
}

/** One approval-required or deferred return: what a run waits for (S4). Never read from `pending_tool_calls` (S5). */
export interface PendingItem {
  needs: 'approval' | 'result';
  callId: string;
  name: string;
  path: string;
  /** The checkpoint's own call of that id. */
  call: FoundCall | null;
  /** Of an approval. */
  reviewed: JsonNode | undefined;
  /** What the approval or the deferral was asked with. */
  request: JsonNode | undefined;
  /** The arguments that would be executed, as written (S13), and where they stand. */
  arguments: string;
  argumentsPath: string;
}

/** Approvals first, then deferred calls, each in the record's order. */
export function pendingItems(view: View): PendingItem[] {
  const calls = new Map(callsOf(view).map((call) => [call.id, call]));
  const items = (key: string, needs: PendingItem['needs'], about: string): PendingItem[] =>
    listOf(view.state, key).map((node, index) => {
      const path = [...view.base, 'state', key, index];
      const callId = textOf(node, 'tool_call_id') ?? '';
      const metadata = objectOf(node, 'metadata');
      const call = calls.get(callId) ?? null;
      const reviewed = metadata && member(metadata, REVIEWED_ARGUMENTS);
      const request = metadata && member(metadata, about);
      const found: PendingItem = {
        needs,
        callId,
        name: textOf(node, 'name') ?? '',
        path: pathText(path),
        call,
        reviewed: needs === 'approval' ? reviewed : undefined,
        request,
        arguments: call?.arguments ?? 'null',
        argumentsPath: call?.path ?? pathText(path),
      };
      return call === null ? { ...found, ...ownArguments(view.text, found) } : found;
    });
  const all = [
    ...items('pending_approval_tool_returns', 'approval', 'approval'),
    ...items('deferred_tool_returns', 'result', 'deferred'),
  ];
  const twice = repeatedIds(all);
  // Under an id that stands twice the call may be another one's: then only what came with the item is its own.
  return all.map((item) => (twice.has(item.callId) ? { ...item, call: null, ...ownArguments(view.text, item) } : item));
}

function repeatedIds(items: readonly PendingItem[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(
    items.flatMap(({ callId }) => {
      if (seen.has(callId)) return [callId];
      seen.add(callId);
      return [];
    }),
  );
}

function ownArguments(text: string, item: PendingItem): Pick<PendingItem, 'arguments' | 'argumentsPath'> {
  const own = item.reviewed ?? (item.request && member(item.request, 'arguments'));
  const { arguments: shown, argumentsPath } = item;
  if (own === undefined) return { arguments: shown, argumentsPath };
  return { arguments: raw(text, own), argumentsPath: `${item.path}.metadata` };
}

/** Of two with one id the later counts, and the batch before the response that it came from. */
function callsOf(view: View): FoundCall[] {
  const found = (node: JsonNode, path: (string | number)[]): FoundCall => ({
    ...callOf(view.text, node),
    path: pathText([...view.base, 'state', ...path, 'arguments']),
    invalid: invalidError(member(node, 'arguments')),
  });
  return [
    ...callParts(objectOf(view.state, 'latest_response')).map(({ node, path }) =>
      found(node, ['latest_response', ...path]),
    ),
    ...listOf(view.state, 'pending_tool_calls').map((node, index) => found(node, ['pending_tool_calls', index])),
  ];
}

/** Why starweaver itself would refuse to continue with a pending item, whatever was decided (S11, S13). */
export interface EvidenceFault {
  name: UpstreamName;
  path: string;
  text: string;
}

export function evidenceFaults(runId: string, items: readonly PendingItem[], text: string): EvidenceFault[] {
  const twice = repeatedIds(items);
  return items.flatMap((item) => {
    if (twice.has(item.callId)) {
      const kind = item.needs === 'approval' ? 'pending approval' : 'deferred';
      const id = item.needs === 'approval' ? item.callId : deferredId(runId, item.callId);
      return [{ name: 'DuplicateDecision', path: item.path, text: `duplicate durable ${kind} decision for ${id}` }];
    }
    const fault = item.needs === 'approval' ? approvalFault(approvalId(runId, item.callId), item, text) : null;
    return fault === null ? [] : [{ ...fault, path: item.path }];
  });
}

function approvalFault(id: string, item: PendingItem, text: string): Omit<EvidenceFault, 'path'> | null {
  const { call, reviewed } = item;
  if (call === null) {
    return { name: 'IdentityMismatch', text: `pending approval ${id} has no matching checkpoint tool call` };
  }
  const mismatched = (field: string): Omit<EvidenceFault, 'path'> => ({
    name: 'MismatchedDecisionEvidence',
    text: `durable approval decision ${id} has mismatched ${field}`,
  });
  if (call.name !== item.name) return mismatched('checkpoint tool name');
  if (reviewed === undefined) return mismatched('reviewed tool arguments');
  return sameText(raw(text, reviewed), call.arguments) ? null : mismatched('checkpoint tool arguments');
}

/** Equal as values; numbers must be written alike, so that nobody approves one text and another is executed (S13). */
export function sameText(a: string, b: string): boolean {
  if (a === b) return true;
  const [left, right] = [readJsonText(a), readJsonText(b)];
  return left.ok && right.ok && sameJson(left.root, right.root);
}
