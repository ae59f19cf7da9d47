import type { Message } from '../../shared/checkpoint.js';
import type { ModelAnswer } from '../ports.js';

/** With this sentence in its task, the scripted model asks for one e-mail after the first answers. */
export const FOLLOW_UP_SENTENCE = 'Write to the customer once that is settled.';

const EXCERPT = 300;

/**
 * The model of the samples: no network, and the same words for the same conversation. It looks at the answers at the
 * end and sums them up; for a task with FOLLOW_UP_SENTENCE it first asks for one more call, so that the run stops again.
 */
export function scriptedAnswer(messages: readonly Message[]): ModelAnswer {
  const answers = answersAtTheEnd(messages);
  if (wantsFollowUp(messages, answers)) {
    return {
      kind: 'message',
      content: 'The refund is through; the customer should hear about it.',
      toolCalls: [
        {
          id: 'call_follow_up',
          name: 'send_email',
          arguments:
            '{"to":"mira.holt@example.com","subject":"Your refund","body":"Hello Mira, your money is on its way back to you."}',
        },
      ],
      finishReason: 'tool_calls',
    };
  }
  return { kind: 'message', content: summary(messages, answers), toolCalls: [], finishReason: 'stop' };
}

function answersAtTheEnd(messages: readonly Message[]): Message[] {
  const lastOther = messages.findLastIndex((message) => message.role !== 'tool');
  return messages.slice(lastOther + 1);
}

/** Only after the first round of calls, and only when nothing of it was turned down. */
function wantsFollowUp(messages: readonly Message[], answers: readonly Message[]): boolean {
  const asked = messages.some((message) => message.role === 'user' && message.content.includes(FOLLOW_UP_SENTENCE));
  const rounds = messages.filter((message) => message.role === 'assistant' && message.toolCalls.length > 0).length;
  const allWell =
    answers.length > 0 && answers.every((answer) => !/reject|not executed|not available/i.test(answer.content));
  return asked && rounds <= 1 && allWell;
}

function summary(messages: readonly Message[], answers: readonly Message[]): string {
  if (answers.length === 0) return 'Understood. There is nothing left for me to do here.';
  const names = new Map<string | null, string>();
  for (const message of messages) for (const call of message.toolCalls) names.set(call.id, call.name);
  const lines = answers.map((answer) => {
    const text = answer.content.length > EXCERPT ? `${answer.content.slice(0, EXCERPT)}…` : answer.content;
    return `- ${names.get(answer.toolCallId) ?? 'tool'}: ${text}`;
  });
  return ['That is all. This is how it came out:', ...lines].join('\n');
}
