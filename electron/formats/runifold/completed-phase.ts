import { jsonList, jsonText } from '../json-text.js';
import type { ModelName } from './agent-shape.js';
import { textPart } from './message-text.js';
import { sortedObject } from './sorted.js';

const UNKNOWN = [
  'input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'cost_microusd',
];

/** The warning that the response carries: its zeros are not measured. */
const WARNING = sortedObject([
  ['code', '"holdpoint.continued"'],
  ['message', jsonText('Continued in Holdpoint: which model answered and what it used is not recorded here.')],
  ['metadata', '{}'],
]);

/** The phase `completed` of a run that ended here, with its last answer as the response (R3, FORMATS 5.2). */
export function completedPhase(model: ModelName, answer: string): string {
  const response = sortedObject([
    ['content', jsonList([textPart(answer)])],
    ['finish_reason', '"stop"'],
    ['id', 'null'],
    ['model', sortedObject([['name', jsonText(model.name)] as const, ['provider', jsonText(model.provider)] as const])],
    ['provider_events', '[]'],
    ['provider_metadata', '{}'],
    ['usage', sortedObject(UNKNOWN.map((name) => [name, '0'] as const))],
    ['warnings', jsonList([WARNING])],
  ]);
  return sortedObject([
    ['response', response],
    ['state', '"completed"'],
  ]);
}
