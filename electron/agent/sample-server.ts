import type { ToolOutcome } from '../ports.js';
import { wordsOf } from './fault-words.js';
import { writeLedgerLine } from './sample-ledger.js';
import { SAMPLE_TOOLS, type SampleTool } from './sample-tools.js';
import type { ToolConnection } from './tool-connection.js';

/**
 * The built-in sample server, inside this process and without a network. Each call writes one line into the ledger of
 * the data folder and has no other effect, so that "fired once" can be seen in a file.
 */
export function connectSample(server: string, dataFolder: string): ToolConnection {
  return {
    server,
    tools: SAMPLE_TOOLS.map((tool) => ({
      server,
      name: tool.name,
      description: tool.description,
      inputSchema: JSON.stringify({ type: 'object', properties: tool.properties, required: tool.required }),
      claims: tool.claims,
    })),
    more: false,
    call: async (name, argumentsText, signal) => {
      const tool = SAMPLE_TOOLS.find((candidate) => candidate.name === name);
      if (tool === undefined) return { kind: 'not_available', text: `The sample server has no tool “${name}”.` };
      if (signal.aborted) return { kind: 'unknown', cause: 'cancelled', text: 'Cancelled before the sample tool ran.' };
      return run(tool, argumentsText, dataFolder);
    },
    close: () => Promise.resolve(),
  };
}

async function run(tool: SampleTool, argumentsText: string, dataFolder: string): Promise<ToolOutcome> {
  const args: unknown = JSON.parse(argumentsText);
  if (typeof args !== 'object' || args === null) return { kind: 'error', text: 'The arguments are no object.' };
  const given: Readonly<Record<string, unknown>> = { ...args };
  const missing = tool.required.filter((name) => !(name in given));
  if (missing.length > 0) return { kind: 'error', text: `Missing: ${missing.join(', ')}.` };
  try {
    await writeLedgerLine(dataFolder, tool.name, argumentsText);
  } catch (fault) {
    // The line may be there or not: nobody here can say.
    return {
      kind: 'unknown',
      cause: 'connection_lost',
      text: `The sample ledger could not be written: ${wordsOf(fault)}.`,
    };
  }
  return { kind: 'result', text: tool.answer(given) };
}
