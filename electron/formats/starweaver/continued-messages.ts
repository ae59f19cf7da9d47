import type { Message, ToolCall } from '../../../shared/checkpoint.js';
import { jsonList, jsonObject, jsonText } from '../json-text.js';
import type { Piece } from './align-history.js';
import { writtenArguments } from './arguments.js';

/** What every new message says of where it belongs. */
export interface Stamp {
  runId: string;
  conversationId: string;
  /** RFC 3339 in UTC. */
  at: string;
}

/** Tokens of an answer are not told to Holdpoint; nothing is made up. */
const NO_USAGE =
  '{"requests":0,"input_tokens":0,"cache_write_tokens":0,"cache_read_tokens":0,"output_tokens":0,"total_tokens":0,"tool_calls":0}';

/** The history of the continued run in starweaver's form; answers that stand side by side make one request. */
export function historyTexts(pieces: readonly Piece[], stamp: Stamp, answer: (message: Message) => string): string[] {
  const texts: string[] = [];
  let answers: string[] = [];
  const flush = (): void => {
    if (answers.length > 0) texts.push(requestText(answers, stamp));
    answers = [];
  };
  for (const piece of pieces) {
    if (piece.kind === 'new' && piece.message.role === 'tool') {
      answers.push(withKind('tool_return', answer(piece.message)));
      continue;
    }
    flush();
    texts.push(piece.kind === 'kept' ? piece.text : messageText(piece.message, stamp));
  }
  flush();
  return texts;
}

/** A call in the order of its declared keys; text that is no JSON gets starweaver's own mark. */
export function callText(call: ToolCall): string {
  return jsonObject(callFields(call));
}

function messageText(message: Message, stamp: Stamp): string {
  const text = jsonText(message.content);
  switch (message.role) {
    case 'assistant':
      return responseText(message, stamp);
    case 'system':
      return requestText([`{"kind":"system_prompt","text":${text}}`], stamp);
    default:
      return requestText([`{"kind":"user_prompt","content":[{"kind":"text","text":${text}}]}`], stamp);
  }
}

function requestText(parts: readonly string[], stamp: Stamp): string {
  return jsonObject([['kind', '"request"'], ['parts', jsonList(parts)], ...stampFields(stamp)]);
}

function responseText(message: Message, stamp: Stamp): string {
  const said = message.content === '' ? [] : [`{"kind":"text","text":${jsonText(message.content)}}`];
  const calls = message.toolCalls.map((call) => jsonObject([['kind', '"tool_call"'], ...callFields(call)]));
  return jsonObject([
    ['kind', '"response"'],
    ['parts', jsonList([...said, ...calls])],
    ['usage', NO_USAGE],
    ['finish_reason', calls.length > 0 ? '"tool_calls"' : '"stop"'],
    ...stampFields(stamp),
  ]);
}

function callFields(call: ToolCall): [string, string][] {
  return [
    ['id', jsonText(call.id ?? '')],
    ['name', jsonText(call.name)],
    ['arguments', writtenArguments(call.arguments)],
  ];
}

function stampFields({ runId, conversationId, at }: Stamp): [string, string][] {
  return [
    ['timestamp', jsonText(at)],
    ['run_id', jsonText(runId)],
    ['conversation_id', jsonText(conversationId)],
  ];
}

/** The tag stands first. */
function withKind(kind: string, object: string): string {
  return `{"kind":"${kind}",${object.slice(1)}`;
}
