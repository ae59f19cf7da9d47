import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { ToolServer } from '../../shared/settings.js';
import type { Tools } from '../ports.js';
import { childEnvironment } from './child-environment.js';
import { wordsOf } from './fault-words.js';
import { httpFault, httpLink } from './http-server.js';
import { childRecords } from './left-children.js';
import { connectMcp } from './mcp-connection.js';
import { connectSample } from './sample-server.js';
import { stdioFault, stdioLink } from './stdio-server.js';
import { STDIO_LIMITS, type StdioLimits } from './stdio-transport.js';
import type { ToolConnection } from './tool-connection.js';
import { makeSession } from './tool-session.js';

interface ToolServersOptions {
  /** Read anew on every use, so that changed settings hold at once. */
  servers(): readonly ToolServer[];
  dataFolder: string;
  /** The environment that the allow-list picks from. */
  env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds for starting, shaking hands and listing. */
  connectMs?: number;
  limits?: StdioLimits;
}

interface ServerTest {
  ok: boolean;
  text: string;
  tools: string[];
}

export interface ToolServers extends Tools {
  /** Connects to one server, lists its tools and lets go of it; for the settings page. */
  testServer(name: string): Promise<ServerTest>;
  /** Ends every open connection and child. Call it when the application quits. */
  closeAll(): Promise<void>;
}

/** The tool servers of the settings, over the Model Context Protocol. */
export function makeTools(options: ToolServersOptions): ToolServers {
  const { connectMs = 15_000, limits = STDIO_LIMITS } = options;
  // What an earlier process was killed beside, and what ignored that, ends now.
  const records = childRecords(options.dataFolder);
  records.endLeft();
  const open = new Set<{ close(): Promise<void> }>();

  /** Keeps a link on the list of what must be ended when the application quits, from before it is connected. */
  const kept = async <L extends { end(): Promise<void> }>(
    link: L,
    connect: (link: L) => Promise<ToolConnection>,
  ): Promise<ToolConnection> => {
    const entry = { close: () => link.end() };
    open.add(entry);
    try {
      const connection = await connect(link);
      return {
        ...connection,
        close: async () => {
          await connection.close();
          open.delete(entry);
        },
      };
    } catch (fault) {
      open.delete(entry);
      throw fault;
    }
  };

  const connect = async (name: string): Promise<ToolConnection> => {
    const server = options.servers().find((candidate) => candidate.name === name);
    if (server === undefined) throw new Error('the settings have no tool server of this name');
    switch (server.kind) {
      case 'sample':
        return connectSample(server.name, options.dataFolder);
      case 'http': {
        const fault = httpFault(server.url);
        if (fault !== null) throw new Error(fault);
        return kept(httpLink(server.url), (link) => connectMcp(server, link, connectMs));
      }
      case 'stdio': {
        const fault = stdioFault(server);
        if (fault !== null) throw new Error(fault);
        return kept(stdioLink(server, options.env, limits, records), (link) => connectMcp(server, link, connectMs));
      }
    }
  };

  /** Every one of them, or none: the connections that came up are ended when another did not. */
  const connectAll = async (names: readonly string[]): Promise<Outcome<ToolConnection[]>> => {
    const unique = [...new Set(names)];
    const settled = await Promise.allSettled(unique.map(connect));
    const connections = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const faults = settled.flatMap((one, index) =>
      one.status === 'rejected' ? [{ server: unique[index] ?? '', cause: wordsOf(one.reason) }] : [],
    );
    if (faults.length === 0) return accepted(connections);
    await Promise.all(connections.map((connection) => connection.close()));
    const words = faults.map((fault) => `“${fault.server}”: ${fault.cause}`).join('; ');
    return refused(
      'tool_server_unreachable',
      `Not reached: tool server ${words}. Check it with “Test” in the settings, then continue.`,
      { servers: faults },
    );
  };

  return {
    async open(names) {
      const connected = await connectAll(names);
      return connected.ok ? accepted(makeSession(connected.value)) : connected;
    },
    async testServer(name) {
      const connected = await connectAll([name]);
      if (!connected.ok) return { ok: false, text: connected.refusal.text, tools: [] };
      const [connection] = connected.value;
      await connection?.close();
      const tools = connection?.tools.map((tool) => tool.name) ?? [];
      const server = options.servers().find((candidate) => candidate.name === name);
      const dropped = server?.kind === 'stdio' ? childEnvironment({}, server.env).dropped : [];
      const text = [
        `Connected; it offers ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}.`,
        connection?.more === true ? 'It lists more, which are not taken.' : '',
        dropped.length > 0 ? `Not passed on to it: ${dropped.join(', ')}.` : '',
      ];
      return { ok: true, text: text.filter((part) => part !== '').join(' '), tools };
    },
    async closeAll() {
      await Promise.all([...open].map((entry) => entry.close()));
      open.clear();
    },
  };
}
