import type { Message } from '../shared/checkpoint.js';
import type { Outcome } from '../shared/refusal.js';
import type { Settings } from '../shared/settings.js';
import type { ToolClaims } from '../shared/tool-table.js';
import type { KnownKey, OwnSigner } from './checkpoints/signatures.js';

/** Everything the domain needs from outside, given as arguments: a test drives it without mocks of modules. */

export interface Clock {
  /** Nanoseconds since the epoch, UTC. */
  now(): bigint;
  /** Monotonic milliseconds; goes on through wall-clock changes. */
  monotonic(): number;
}

export interface Ids {
  /** A new ULID, upper case. */
  ulid(): string;
}

/** How a dispatched call ended. `unknown` = it may have run: only a person can say (H7). */
export type ToolOutcome =
  | { kind: 'result'; text: string }
  | { kind: 'error'; text: string }
  | { kind: 'not_available'; text: string }
  | { kind: 'unknown'; cause: 'timeout' | 'connection_lost' | 'cancelled'; text: string };

export interface ListedTool {
  server: string;
  name: string;
  description: string;
  /** JSON Schema of the arguments, as raw JSON text. */
  inputSchema: string;
  claims: ToolClaims;
}

export interface Tools {
  /**
   * Connects to the named servers and lists their tools, before any latch is claimed. Refused with
   * `tool_server_unreachable` when one cannot be reached.
   */
  open(servers: readonly string[]): Promise<Outcome<ToolSession>>;
}

export interface ToolSession {
  tools: readonly ListedTool[];
  /** Sends exactly `argumentsText`, never parsed and printed again (I6, C50). Never throws for a tool's own failure. */
  call(tool: string, argumentsText: string, options: { signal: AbortSignal }): Promise<ToolOutcome>;
  close(): Promise<void>;
}

export type ModelAnswer =
  | {
      kind: 'message';
      content: string;
      toolCalls: { id: string; name: string; arguments: string }[];
      finishReason: string;
    }
  /** Nobody answered, or a passing fault after bounded retries: continue later, dispatch nothing again. */
  | { kind: 'unreachable'; text: string }
  /** The endpoint refused the request (4xx): not retried (C30). */
  | { kind: 'refused'; status: number; text: string }
  | { kind: 'cancelled' };

export interface Models {
  /** Cheap check before the claim. */
  reachable(model: string): Promise<Outcome<null>>;
  complete(
    model: string,
    request: { messages: readonly Message[]; tools: readonly ListedTool[] },
    options: { signal: AbortSignal },
  ): Promise<ModelAnswer>;
}

/** Whose signatures count, and this reviewer's own way to sign. */
export interface Signing {
  known(): readonly KnownKey[];
  /** Refused with `cannot_sign` when the key cannot be used, with `not_allowed` where nobody decides. */
  signer(): Promise<Outcome<OwnSigner>>;
}

/** One process of one boot of one machine; `start` tells it from a later one that got its number. */
export interface Process {
  host: string;
  boot: string;
  pid: number;
  start?: string | null | undefined;
}

export interface Ports {
  clock: Clock;
  ids: Ids;
  tools: Tools;
  models: Models;
  settings(): Settings;
  signing: Signing;
  /** What the tool servers of a source were last seen to offer; absent where none is ever asked. */
  listed?(source: string): readonly ListedTool[];
  /** Who this process is, for latches and history. */
  process: Process & { name: string };
  /** True when the process of a latch is known to be running: it may be about to go on, so nobody takes over. */
  isAlive(by: Process): boolean;
  /** Called at each step between durable writes and effects; a crash test ends the process in it. */
  at?: (point: string) => void | Promise<void>;
}
