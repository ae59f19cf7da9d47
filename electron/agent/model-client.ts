import { setTimeout as sleep } from 'node:timers/promises';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { ModelEndpoint } from '../../shared/settings.js';
import type { ModelAnswer, Models } from '../ports.js';
import { readAnswer } from './chat-answer.js';
import { chatClient } from './chat-endpoint.js';
import { sortFault } from './chat-fault.js';
import { reachEndpoint } from './chat-reach.js';
import { chatMessages, chatTools } from './chat-request.js';
import { startDeadline } from './deadline.js';
import { makeHideKey } from './hide-key.js';
import { scriptedAnswer } from './scripted-model.js';

interface ModelsOptions {
  /** Read anew on every use, so that changed settings hold at once. */
  endpoints(): readonly ModelEndpoint[];
  /** The key of an endpoint; null when none is stored. */
  keyOf(name: string): Promise<string | null>;
  /** Milliseconds one attempt may take. */
  answerMs?: number;
  /** Milliseconds of the cheap check. */
  reachMs?: number;
  /** Waits before a retry; rejects when the signal is raised. */
  pause?(milliseconds: number, signal: AbortSignal): Promise<unknown>;
}

interface ModelTest {
  ok: boolean;
  text: string;
  tools: string[];
}

export interface ModelClient extends Models {
  /** Asks one endpoint whether it is there; for the settings page. */
  testModel(name: string): Promise<ModelTest>;
}

const RETRIES = 2;
type OpenAiEndpoint = Extract<ModelEndpoint, { kind: 'openai' }>;

/** The models of the settings: every OpenAI-compatible endpoint, and the scripted one of the samples. */
export function makeModels(options: ModelsOptions): ModelClient {
  const { answerMs = 120_000, reachMs = 5000 } = options;
  const pause = options.pause ?? ((milliseconds, signal) => sleep(milliseconds, undefined, { signal }));
  const find = (name: string): ModelEndpoint | undefined => options.endpoints().find((one) => one.name === name);

  const ask = async (
    endpoint: OpenAiEndpoint,
    request: Parameters<Models['complete']>[1],
    signal: AbortSignal,
    attempt: number,
  ): Promise<{ answer: ModelAnswer; retryAfter: number | null }> => {
    const deadline = startDeadline(signal, answerMs);
    let hide = makeHideKey(null);
    try {
      const key = await options.keyOf(endpoint.name);
      hide = makeHideKey(key);
      const client = chatClient(endpoint.baseUrl, key, answerMs);
      const tools = chatTools(request.tools);
      const completion: unknown = await client.chat.completions.create(
        { model: endpoint.model, messages: chatMessages(request.messages), ...(tools.length > 0 ? { tools } : {}) },
        { signal: deadline.signal },
      );
      const answer = readAnswer(endpoint.name, completion);
      return { answer: 'text' in answer ? { ...answer, text: hide(answer.text) } : answer, retryAfter: null };
    } catch (fault) {
      if (deadline.cause() === 'cancelled') return { answer: { kind: 'cancelled' }, retryAfter: null };
      if (deadline.cause() === 'timeout') {
        const text = `The model endpoint “${endpoint.name}” gave no answer in ${answerMs / 1000} seconds. Continue later.`;
        return { answer: { kind: 'unreachable', text }, retryAfter: null };
      }
      return sortFault(endpoint.name, fault, attempt, hide);
    } finally {
      deadline.release();
    }
  };

  const reachable = async (name: string): Promise<Outcome<null>> => {
    const endpoint = find(name);
    if (endpoint === undefined) {
      return refused(
        'model_unreachable',
        `The settings have no model endpoint “${name}”. Add it, or choose another in the profile.`,
      );
    }
    if (endpoint.kind === 'scripted') return accepted(null);
    return reachEndpoint(endpoint, await options.keyOf(endpoint.name), reachMs);
  };

  return {
    reachable,
    async complete(name, request, { signal }) {
      const endpoint = find(name);
      if (endpoint === undefined)
        return { kind: 'unreachable', text: `The settings have no model endpoint “${name}”.` };
      if (signal.aborted) return { kind: 'cancelled' };
      if (endpoint.kind === 'scripted') return scriptedAnswer(request.messages);
      for (let attempt = 0; ; attempt += 1) {
        const { answer, retryAfter } = await ask(endpoint, request, signal, attempt);
        if (retryAfter === null || attempt === RETRIES) return answer;
        const waited = await pause(retryAfter, signal).then(
          () => true,
          () => false,
        );
        if (!waited || signal.aborted) return { kind: 'cancelled' };
      }
    },
    async testModel(name) {
      const outcome = await reachable(name);
      return { ok: outcome.ok, text: outcome.ok ? 'It answers.' : outcome.refusal.text, tools: [] };
    },
  };
}
