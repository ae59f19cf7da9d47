import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTools } from '../../electron/agent/tool-servers.js';
import type { ToolServer } from '../../shared/settings.js';

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json');
const never = new AbortController().signal;
let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-fs-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('with a tool server that nobody here wrote', () => {
  it('writes a file once, reads claims, and tells an error from a result', async () => {
    const server: ToolServer = {
      kind: 'stdio',
      name: 'files',
      command: process.execPath,
      args: [join(dirname(manifest), 'dist/index.js'), folder],
      env: {},
      timeoutSeconds: 20,
    };
    const tools = makeTools({ servers: () => [server], dataFolder: folder, env: process.env });
    const opened = await tools.open(['files']);
    if (!opened.ok) throw new Error(opened.refusal.text);
    const session = opened.value;
    const write = session.tools.find((tool) => tool.name === 'write_file');
    expect(write).toMatchObject({ server: 'files', claims: { readOnly: false, destructive: true } });

    const path = join(folder, 'note.txt');
    const done = await session.call('write_file', JSON.stringify({ path, content: 'held and released' }), {
      signal: never,
    });
    expect(done.kind).toBe('result');
    expect(readFileSync(path, 'utf8')).toBe('held and released');

    const outside = await session.call('write_file', '{"path":"/outside.txt","content":"x"}', { signal: never });
    expect(outside).toMatchObject({ kind: 'error', text: expect.stringContaining('Access denied') });
    expect(existsSync('/outside.txt')).toBe(false);
    await session.close();
  });
});
