import { randomUUID } from 'node:crypto';
import { isJSONRPCErrorResponse, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';

export interface AnsweredError {
  code: number;
  message: string;
}

/** One tool call whose arguments travel as raw text. */
interface RawRequest {
  /** Stands for the arguments in the message until it is serialised. */
  placeholder: string;
  /** True once the message was put into its final form, so that it may have left. */
  written(): boolean;
  /** The server's own first error answer to this very request; null while there is none. */
  answeredError(): AnsweredError | null;
  release(): void;
}

export interface RawArguments {
  hold(argumentsText: string): RawRequest;
  /** Puts the raw text into a serialised message. Throws when one call is about to be written a second time (I1). */
  rewrite(serialised: string): string;
  /** Looks at every incoming message, to tell a server's error answer from an error made on this side. */
  note(message: JSONRPCMessage): void;
}

interface Held {
  text: string;
  id: RequestId | null;
  error: AnsweredError | null;
}

/**
 * Arguments are sent as the text that was read and approved, never parsed and printed again (I6, C50): the protocol
 * library carries a placeholder, and the text takes its place in the last step before the bytes leave.
 */
export function makeRawArguments(): RawArguments {
  const holds = new Map<string, Held>();

  return {
    hold(argumentsText) {
      const placeholder = `raw-arguments-${randomUUID()}`;
      const held: Held = { text: argumentsText, id: null, error: null };
      holds.set(placeholder, held);
      return {
        placeholder,
        written: () => held.id !== null,
        answeredError: () => held.error,
        release: () => holds.delete(placeholder),
      };
    },
    rewrite(serialised) {
      for (const [placeholder, held] of holds) {
        const member = `"arguments":${JSON.stringify(placeholder)}`;
        const at = serialised.indexOf(member);
        if (at === -1) continue;
        if (held.id !== null) throw new Error('A tool call was about to be sent twice.');
        held.id = requestId(serialised);
        return `${serialised.slice(0, at)}"arguments":${held.text}${serialised.slice(at + member.length)}`;
      }
      return serialised;
    },
    note(message) {
      if (!isJSONRPCErrorResponse(message)) return;
      for (const held of holds.values()) {
        if (held.id !== null && held.id === message.id) {
          held.error ??= { code: message.error.code, message: message.error.message };
        }
      }
    },
  };
}

/** The id of a serialised request, read while the placeholder still stands in it. */
function requestId(serialised: string): RequestId {
  const message: unknown = JSON.parse(serialised);
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined;
  if (typeof id !== 'string' && typeof id !== 'number') throw new Error('A tool call without a request id.');
  return id;
}
