import type { ListedTool, ToolSession } from '../ports.js';
import type { ToolConnection } from './tool-connection.js';

/**
 * One view of several servers. A name that two servers offer is listed once, under both servers' names, and is not
 * callable: which of the two a reviewer meant cannot be known.
 */
export function makeSession(connections: readonly ToolConnection[]): ToolSession {
  const owners = new Map<string, ToolConnection[]>();
  const tools = new Map<string, ListedTool>();
  for (const connection of connections) {
    for (const tool of connection.tools) {
      const known = owners.get(tool.name);
      if (known === undefined) {
        owners.set(tool.name, [connection]);
        tools.set(tool.name, tool);
      } else if (!known.includes(connection)) {
        known.push(connection);
        tools.set(tool.name, shared(tools.get(tool.name) ?? tool, tool));
      }
    }
  }

  return {
    tools: [...tools.values()],
    async call(tool, argumentsText, { signal }) {
      const found = owners.get(tool) ?? [];
      const [only] = found;
      if (only === undefined) {
        return { kind: 'not_available', text: `no connected tool server offers “${tool}”.` };
      }
      if (found.length > 1) {
        const names = found.map((connection) => `“${connection.server}”`).join(' and ');
        return {
          kind: 'not_available',
          text: `${names} both offer “${tool}”. Leave only one of them in the profile of this source.`,
        };
      }
      if (!isJsonObject(argumentsText)) {
        return { kind: 'not_available', text: `the arguments for “${tool}” are no JSON object.` };
      }
      return only.call(tool, argumentsText, signal);
    },
    async close() {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}

/** Both servers' claims together, the more dangerous one winning. */
function shared(first: ListedTool, second: ListedTool): ListedTool {
  const claims = { ...first.claims };
  if (first.claims.destructive === true || second.claims.destructive === true) claims.destructive = true;
  if (first.claims.readOnly === false || second.claims.readOnly === false) claims.readOnly = false;
  return { ...first, server: `${first.server}, ${second.server}`, claims };
}

/** Raw text goes into the request as it is, so anything but one whole object could reshape the request around it. */
function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    // Said to the caller as an outcome.
    return false;
  }
}
