import type { ListedTool, ToolOutcome } from '../ports.js';

/** One tool server that was reached, with the tools it lists. */
export interface ToolConnection {
  server: string;
  tools: readonly ListedTool[];
  /** True when the server lists more tools than are taken. */
  more: boolean;
  /** Sends exactly `argumentsText` to a tool of this server. Never throws for a tool's own failure. */
  call(tool: string, argumentsText: string, signal: AbortSignal): Promise<ToolOutcome>;
  /** Ends the connection and any child; may be called more than once. */
  close(): Promise<void>;
}
