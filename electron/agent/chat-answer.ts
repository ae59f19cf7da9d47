import { z } from 'zod';
import type { ModelAnswer } from '../ports.js';

const Call = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.string().nullish() }),
});
const Part = z.looseObject({ type: z.literal('text'), text: z.string() });
const Completion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish(),
        message: z.looseObject({
          content: z.union([z.string(), z.array(z.unknown())]).nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.array(Call).nullish(),
        }),
      }),
    )
    .min(1),
});

/** Stands for an endpoint whose answer is not one of chat completions, as a gateway would say it. */
export const BAD_ANSWER = 502;

/**
 * The first choice of an answer. Ids and argument texts are taken exactly as they came; an answer of another shape is
 * refused, because a call that is only half understood must not be offered for approval.
 */
export function readAnswer(endpoint: string, completion: unknown): ModelAnswer {
  const read = Completion.safeParse(completion);
  const choice = read.success ? read.data.choices[0] : undefined;
  if (choice === undefined) {
    const where = read.error?.issues[0]?.path.join('.') ?? '';
    return {
      kind: 'refused',
      status: BAD_ANSWER,
      text: `The model endpoint “${endpoint}” answered something that is no chat completion${where === '' ? '' : ` (at ${where})`}.`,
    };
  }
  const { message, finish_reason } = choice;
  return {
    kind: 'message',
    content: contentText(message.content) || (message.refusal ?? ''),
    toolCalls: (message.tool_calls ?? []).map((call) => ({
      id: call.id ?? '',
      name: call.function.name,
      arguments: call.function.arguments ?? '',
    })),
    finishReason: finish_reason ?? '',
  };
}

function contentText(content: string | unknown[] | null | undefined): string {
  if (typeof content === 'string') return content;
  const texts = (content ?? [])
    .map((part) => Part.safeParse(part))
    .flatMap((part) => (part.success ? [part.data.text] : []));
  return texts.join('');
}
