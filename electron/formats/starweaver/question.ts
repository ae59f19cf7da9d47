import { member, raw, readJsonText } from '../../../shared/json.js';
import { accepted, type Outcome } from '../../../shared/refusal.js';
import { jsonList, jsonObject, jsonText } from '../json-text.js';
import { QUESTION_TOOL, refusedAs } from './names.js';
import { listOf, textOf } from './nodes.js';

/** What a call of the question tool asks: each text once, with the labels that may be chosen. */
export interface Question {
  text: string;
  labels: readonly string[];
}

/** Longest answer in words of one's own. Characters. */
const LONGEST = 16_384;

/** The questions of a call, and their list as written; null for another tool, and where nobody can say what is asked. */
export function questionsOf(
  name: string,
  argumentsText: string,
): { questions: readonly Question[]; written: string } | null {
  const read = name === QUESTION_TOOL ? readJsonText(argumentsText) : null;
  if (!read?.ok || read.duplicates.length > 0) return null;
  const questions = listOf(read.root, 'questions').map((node) => ({
    text: textOf(node, 'question') ?? '',
    labels: listOf(node, 'options').map((option) => textOf(option, 'label') ?? ''),
  }));
  const list = member(read.root, 'questions');
  const texts = questions.map(({ text }) => text);
  const clear = texts.every((text) => text.trim() !== '') && new Set(texts).size === texts.length;
  return list === undefined || questions.length === 0 || !clear
    ? null
    : { questions, written: raw(argumentsText, list) };
}

/** An answer that the clarification operation takes: not blank, and within its length (S9). */
export function checkAnswer(answer: string): Outcome<null> {
  if (answer.trim() === '')
    return refusedAs('Failed', 'a question to the user takes an answer in words', {}, 'bad_request');
  if ([...answer].length > LONGEST)
    return refusedAs('Failed', `an answer has at most ${LONGEST} characters`, {}, 'bad_request');
  return accepted(null);
}

/** What the tool itself is given, and what it returns. One question gets the answer as its own; several share it. */
function answersOf(questions: readonly Question[], answer: string): [string, string][] {
  const [only] = questions;
  return questions.length === 1 && only !== undefined
    ? [['answers', jsonObject([[only.text, jsonText(answer)]])]]
    : [['response', jsonText(answer)]];
}

/** The result that the model reads: the questions as they were asked, and the answer. JSON text. */
export function resultOfQuestion(asked: NonNullable<ReturnType<typeof questionsOf>>, answer: string): string {
  return jsonObject([['questions', asked.written], ...answersOf(asked.questions, answer)]);
}

/** Metadata of a ToolApprovalDecision: where the tool looks for its answers. JSON text. */
export function decisionMetadata(questions: readonly Question[], answer: string): string {
  return jsonObject([['clarifying_answers', jsonObject(answersOf(questions, answer))]]);
}

/** Metadata of the durable record: every question exactly once, by a label where the answer is one, else in words. */
export function recordMetadata(questions: readonly Question[], answer: string): [key: string, text: string][] {
  const answers = questions.map(({ text, labels }) => {
    const chosen = labels.includes(answer);
    return jsonObject([
      ['question', jsonText(text)],
      ['selected_options', jsonList(chosen ? [jsonText(answer)] : [])],
      ...(chosen ? [] : [['free_text', jsonText(answer)] as const]),
    ]);
  });
  const shared: [string, string][] = questions.length === 1 ? [] : [['clarification_response', jsonText(answer)]];
  return [[ANSWERS, jsonList(answers)], ...shared];
}

/** The key under which the durable record keeps them. */
export const ANSWERS = 'clarification_answers';
