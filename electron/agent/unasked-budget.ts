import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

export interface UnaskedLimits {
  /** Messages of one connection that answer no request of ours. */
  unaskedMessages: number;
  /** Bytes of these messages together. */
  unaskedBytes: number;
}

export const UNASKED_LIMITS: UnaskedLimits = { unaskedMessages: 10_000, unaskedBytes: 16 * 1024 * 1024 };

interface UnaskedBudget {
  /** Remembers a request of ours, whose one answer costs nothing. */
  sent(message: JSONRPCMessage): void;
  /** Why the connection must be cut instead of taking this message; null while it may be taken. */
  spend(message: JSONRPCMessage, bytes: number): string | null;
}

/** Every request and notification of a server costs memory and an answer here, so a flood of them has an end. */
export function makeUnaskedBudget(limits: UnaskedLimits): UnaskedBudget {
  const waiting = new Set<RequestId>();
  let messages = 0;
  let total = 0;
  return {
    sent(message) {
      if ('method' in message && 'id' in message) waiting.add(message.id);
    },
    spend(message, bytes) {
      const id = 'method' in message ? undefined : message.id;
      if (id !== undefined && waiting.delete(id)) return null;
      messages += 1;
      total += bytes;
      if (messages > limits.unaskedMessages)
        return `it sent more than ${limits.unaskedMessages} messages that nobody asked for`;
      if (total > limits.unaskedBytes)
        return `it sent more than ${limits.unaskedBytes} bytes of messages that nobody asked for`;
      return null;
    },
  };
}
