import { APIConnectionError, APIError } from 'openai';
import type { ModelAnswer } from '../ports.js';
import { BAD_ANSWER } from './chat-answer.js';
import { wordsOf } from './fault-words.js';
import type { HideKey } from './hide-key.js';

const LONGEST_WAIT = 10_000;
const WORDS = 2000;

/** A failed request, and whether the same request may do better in a moment. */
interface ChatFault {
  answer: ModelAnswer;
  /** Milliseconds to wait before trying again; null when trying again makes no sense. */
  retryAfter: number | null;
}

/**
 * Sorts a failure (C30): 429, 5xx and connection faults pass and may be tried again; every other status is the
 * endpoint's own no. A wait that the endpoint asks for is kept up to ten seconds; a longer one is not waited out here. Words that are
 * not ours go through `hide`.
 */
export function sortFault(endpoint: string, fault: unknown, attempt: number, hide: HideKey): ChatFault {
  const backoff = 500 * 2 ** attempt;
  if (fault instanceof APIError && typeof fault.status === 'number') {
    const words = `(${fault.status}): ${hide(fault.message).slice(0, WORDS)}`;
    if (fault.status !== 429 && fault.status < 500) {
      const hint = fault.status === 401 || fault.status === 403 ? ' Check its key in the settings.' : '';
      const text = `The model endpoint “${endpoint}” refused the request ${words}.${hint}`;
      return { answer: { kind: 'refused', status: fault.status, text }, retryAfter: null };
    }
    const asked = askedWait(fault.headers);
    const text = `The model endpoint “${endpoint}” is busy or faulty ${words}. Continue later.`;
    return {
      answer: { kind: 'unreachable', text },
      retryAfter: asked === null ? backoff : asked <= LONGEST_WAIT ? asked : null,
    };
  }
  if (fault instanceof SyntaxError) {
    const text = `The model endpoint “${endpoint}” answered with something that is not JSON.`;
    return { answer: { kind: 'refused', status: BAD_ANSWER, text }, retryAfter: null };
  }
  const words =
    fault instanceof APIConnectionError && fault.cause instanceof Error ? wordsOf(fault.cause) : wordsOf(fault);
  const text = `The model endpoint “${endpoint}” cannot be reached: ${hide(words).slice(0, WORDS)}. Continue when it can be.`;
  return { answer: { kind: 'unreachable', text }, retryAfter: backoff };
}

/** Retry-After in milliseconds, from seconds or from a date; null when absent or unreadable. */
function askedWait(headers: Headers | undefined): number | null {
  const value = headers?.get('retry-after') ?? null;
  if (value === null || value.trim() === '') return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
