import OpenAI from 'openai';
import { makeFetch } from './http-fetch.js';

/** Sent where no key is stored: servers on one's own machine ask for none. */
const NO_KEY = 'none';

/**
 * A client for one endpoint. Nothing is taken from the environment (no key, no address, no header), nothing about this
 * machine is sent, nothing is logged, no redirect is followed, and it never retries by itself.
 */
export function chatClient(baseUrl: string, key: string | null, timeoutMs: number): OpenAI {
  const apiKey = key === null || key === '' ? NO_KEY : key;
  const plain = makeFetch();
  return new OpenAI({
    apiKey,
    baseURL: baseUrl,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    // The caller's own limit comes first and knows its reason.
    timeout: timeoutMs + 1000,
    fetch: (input, init = {}) => {
      // Only these leave, whatever the library has collected on the way.
      const headers: Record<string, string> = {
        accept: 'application/json',
        authorization: `Bearer ${apiKey}`,
        'user-agent': 'Holdpoint',
      };
      if (init.body) headers['content-type'] = 'application/json';
      return plain(input instanceof Request ? input.url : input, { ...init, headers });
    },
  });
}
