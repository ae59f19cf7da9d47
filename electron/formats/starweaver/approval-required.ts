import type { PendingCall } from '../../../shared/checkpoint.js';
import { jsonObject, jsonText } from '../json-text.js';
import { boundArguments } from './arguments.js';
import { REVIEWED_ARGUMENTS } from './pending.js';

const MESSAGE = '"a person decides about this call before it runs"';
const HOW_TO_FIX = '"wait for the decision"';
const REASON = '"held for review by Holdpoint"';

/** What every refusal of a tool says of itself, as far as it is the same for all. */
const NOT_RETRYABLE: readonly [string, string][] = [
  ['how_to_fix', HOW_TO_FIX],
  ['message', MESSAGE],
  ['model_retryable', 'false'],
  ['retry_requires_corrected_input', 'false'],
  ['retryable', 'false'],
  ['runtime_retryable', 'false'],
];

/**
 * A pending call as an approval-required return, bound to the exact arguments (FORMATS 4.3): an error for whoever does
 * not know of approvals, and the request for whoever does. Free-form keys are sorted (J2).
 */
export function approvalRequired(call: Pick<PendingCall, 'id' | 'name' | 'arguments'>): string {
  const name = jsonText(call.name);
  const reviewed = boundArguments(call.arguments);
  const content = jsonObject([
    ['error', jsonText(`tool ${call.name} requires approval`)],
    ['how_to_fix', HOW_TO_FIX],
    ['kind', '"approval_required"'],
    ...NOT_RETRYABLE.slice(1),
    ['success', 'false'],
    ['tool', name],
    ['unexpected', 'false'],
  ]);
  const metadata = jsonObject([
    [
      'approval',
      jsonObject([
        ['arguments', reviewed],
        ['reason', REASON],
      ]),
    ],
    ['control_flow', '"approval_required"'],
    ['error_kind', '"approval_required"'],
    ...NOT_RETRYABLE,
    [REVIEWED_ARGUMENTS, reviewed],
    ['tool', name],
    ['unexpected', 'false'],
  ]);
  return jsonObject([
    ['tool_call_id', jsonText(call.id ?? '')],
    ['name', name],
    ['content', content],
    ['is_error', 'true'],
    ['metadata', metadata],
  ]);
}
