import { APIError } from 'openai';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { chatClient } from './chat-endpoint.js';
import { sortFault } from './chat-fault.js';
import { startDeadline } from './deadline.js';
import { makeHideKey } from './hide-key.js';

/**
 * The cheap check before a claim: asks for the list of models. Whoever answers, whatever it says, is there; only a
 * refused key (401, 403) makes asking pointless.
 */
export async function reachEndpoint(
  endpoint: { name: string; baseUrl: string },
  key: string | null,
  limitMs: number,
): Promise<Outcome<null>> {
  const deadline = startDeadline(null, limitMs);
  try {
    const client = chatClient(endpoint.baseUrl, key, limitMs);
    const response = await client.get('/models', { signal: deadline.signal }).asResponse();
    await response.body?.cancel();
    return accepted(null);
  } catch (fault) {
    if (deadline.cause() === 'timeout') {
      const text = `The model endpoint “${endpoint.name}” gave no answer in ${limitMs / 1000} seconds.`;
      return refused('model_unreachable', text);
    }
    const status = fault instanceof APIError && typeof fault.status === 'number' ? fault.status : null;
    if (status !== null && status !== 401 && status !== 403) return accepted(null);
    const { answer } = sortFault(endpoint.name, fault, 0, makeHideKey(key));
    const text = 'text' in answer ? answer.text : '';
    return refused('model_unreachable', text, status === null ? {} : { status });
  } finally {
    deadline.release();
  }
}
