import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import type { ToolServer } from '../../shared/settings.js';
import { childEnvironment } from './child-environment.js';
import type { ChildRecords } from './left-children.js';
import type { McpLink } from './mcp-connection.js';
import { makeRawArguments } from './raw-arguments.js';
import { makeStdioTransport, STDIO_LIMITS, type StdioLimits } from './stdio-transport.js';

type StdioServer = Extract<ToolServer, { kind: 'stdio' }>;

/** Why this server is not even tried; null when nothing speaks against starting it. */
export function stdioFault(server: StdioServer): string | null {
  if (!isAbsolute(server.command)) {
    return `its command “${server.command}” is not an absolute path, and no search path is used`;
  }
  if (server.cwd !== undefined && !isAbsolute(server.cwd)) return `its folder “${server.cwd}” is not an absolute path`;
  const texts = [server.command, server.cwd ?? '', ...server.args, ...Object.values(server.env)];
  if (texts.some((text) => text.includes('\0'))) return 'its command, arguments or environment hold a NUL character';
  return null;
}

/** A link to a server that runs as a child process. The child is started by connecting, not here. */
export function stdioLink(
  server: StdioServer,
  own: Readonly<Record<string, string | undefined>>,
  limits: StdioLimits = STDIO_LIMITS,
  records: ChildRecords | null = null,
): McpLink {
  const raw = makeRawArguments();
  const transport = makeStdioTransport(
    {
      command: server.command,
      args: server.args,
      cwd: server.cwd ?? homedir(),
      env: childEnvironment(own, server.env).env,
    },
    raw.rewrite,
    limits,
    records,
  );
  return { transport, raw, story: () => transport.story(), end: () => transport.close() };
}
