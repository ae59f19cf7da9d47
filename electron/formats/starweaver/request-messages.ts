import type { Message } from '../../../shared/checkpoint.js';
import { type JsonNode, member } from '../../../shared/json.js';
import { contentText, returnText } from './content-text.js';
import { listOf, objectOf, textOf } from './nodes.js';

/** Marks a user prompt that only carries the media of a tool's answer. */
const ORIGIN = 'starweaver_context_origin';
const TOOL_MEDIA = 'tool_return_media';

/**
 * A request as messages of the normal form. Answers come first, as they belong right behind the calls; media that came
 * with an answer is named in it.
 */
export function requestMessages(text: string, request: JsonNode, note: (kind: string) => void): Message[] {
  const answers: Message[] = [];
  const others: Message[] = [];
  const instructions = textOf(request, 'instructions');
  if (instructions !== null) others.push(message('system', instructions));
  for (const part of listOf(request, 'parts')) {
    switch (textOf(part, 'kind')) {
      case 'tool_return':
        answers.push(answerMessage(text, part));
        break;
      case 'user_prompt': {
        const content = contentText(listOf(part, 'content'), note);
        const answer = answerWithMedia(part, answers);
        if (answer === undefined) others.push(message('user', content));
        else answer.content = `${answer.content}\n${content}`;
        break;
      }
      case 'retry_prompt':
        others.push(message('user', textOf(part, 'text') ?? ''));
        break;
      default:
        // system_prompt and instruction
        others.push(message('system', textOf(part, 'text') ?? ''));
    }
  }
  return [...answers, ...others];
}

/** A tool's answer, under the id of its call. */
export function answerMessage(text: string, toolReturn: JsonNode): Message {
  const content = returnText(text, member(toolReturn, 'content'));
  return { role: 'tool', content, toolCalls: [], toolCallId: textOf(toolReturn, 'tool_call_id') };
}

function answerWithMedia(prompt: JsonNode, answers: readonly Message[]): Message | undefined {
  const metadata = objectOf(prompt, 'metadata');
  if (textOf(metadata, ORIGIN) !== TOOL_MEDIA) return undefined;
  const id = textOf(metadata, 'tool_call_id');
  return answers.findLast((answer) => answer.toolCallId === id);
}

function message(role: 'system' | 'user', content: string): Message {
  return { role, content, toolCalls: [], toolCallId: null };
}
