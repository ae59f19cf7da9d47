import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { killLiving } from '../../electron/agent/child-life.js';
import { makeStdioTransport, STDIO_LIMITS, type StdioTransport } from '../../electron/agent/stdio-transport.js';

const quick = { ...STDIO_LIMITS, polite: 200, term: 500 };
const started: StdioTransport[] = [];

async function run(
  script: string,
  limits = quick,
): Promise<{ transport: StdioTransport; closed: Promise<void>; messages: unknown[] }> {
  const transport = makeStdioTransport(
    { command: process.execPath, args: ['-e', script], cwd: tmpdir(), env: {} },
    (text) => text,
    limits,
  );
  started.push(transport);
  const messages: unknown[] = [];
  transport.onmessage = (message) => messages.push(message);
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  await transport.start();
  return { transport, closed, messages };
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((transport) => transport.close()));
});

describe('stdio transport', () => {
  it('cuts the connection at a line over the cap', async () => {
    const { transport, closed } = await run('setInterval(() => process.stdout.write("x".repeat(65536)), 1)', {
      ...quick,
      line: 1_000_000,
    });
    await closed;
    expect(transport.story()).toContain('a line of more than 1000000 bytes');
    await expect(transport.send({ jsonrpc: '2.0', method: 'ping', id: 1 })).rejects.toThrow('no longer connected');
  });

  it.each(['stderr', 'stdout'])('cuts the connection at a flood on %s', async (stream) => {
    const { transport, closed } = await run(
      `setInterval(() => process.${stream}.write("log line\\n".repeat(9000)), 1)`,
      { ...quick, noise: 500_000 },
    );
    await closed;
    expect(transport.story()).toContain('more than 500000 bytes that are no message');
  });

  it.each([
    ['messages', { unaskedMessages: 100 }, 'more than 100 messages that nobody asked for', 100],
    ['bytes', { unaskedBytes: 300_000 }, 'more than 300000 bytes of messages that nobody asked for', 99],
  ])('cuts the connection at a flood of unasked %s', async (_what, limit, words, most) => {
    const ping = 'JSON.stringify({jsonrpc:"2.0",method:"ping",id:"x".repeat(3000)})+"\\n"';
    const { transport, closed, messages } = await run(
      `setInterval(() => process.stdout.write((${ping}).repeat(50)), 1)`,
      { ...quick, ...limit },
    );
    await closed;
    expect(transport.story()).toContain(words);
    expect(messages.length).toBeLessThanOrEqual(most);
  });

  it('answers to our own requests cost nothing, once each', async () => {
    const twice = `require("readline").createInterface({input: process.stdin}).on("line", (line) => {
      const answer = JSON.stringify({jsonrpc:"2.0",id:JSON.parse(line).id,result:{}})+"\\n";
      process.stdout.write(answer.repeat(JSON.parse(line).id === 5 ? 3 : 1));
    })`;
    const { transport, closed, messages } = await run(twice.replaceAll('\\\\n', '\\n'), {
      ...quick,
      unaskedMessages: 1,
    });
    for (let id = 1; id <= 5; id += 1) await transport.send({ jsonrpc: '2.0', method: 'tools/list', id });
    await closed;
    expect(messages).toHaveLength(6);
  });

  it('cuts the connection to a child that never reads', async () => {
    const { transport, closed } = await run('setInterval(() => 0, 1000)', { ...quick, waiting: 200_000 });
    const ping = { jsonrpc: '2.0' as const, method: 'ping', id: 'x'.repeat(3000) };
    const sent: Promise<string>[] = [];
    for (let count = 0; count < 300; count += 1) {
      sent.push(
        transport.send(ping).then(
          () => 'sent',
          (fault: Error) => fault.message,
        ),
      );
    }
    await closed;
    expect(transport.story()).toContain('it left more than 200000 bytes unread');
    expect(await Promise.all(sent)).toContain('The tool server does not read what is sent to it.');
  });

  it('reads messages over chunk borders and skips lines that are none', async () => {
    const parts = ['not json\\n{"jsonrpc":"2.0","me', 'thod":"a"}\\r\\n\\n[1]\\n{"jsonrpc":"2.0","method":"b"}\\n'];
    const { closed, messages } = await run(
      `process.stdout.write("${parts[0]?.replaceAll('"', '\\"')}"); setTimeout(() => process.stdout.write("${parts[1]?.replaceAll('"', '\\"')}"), 50)`,
    );
    await closed;
    expect(messages).toEqual([
      { jsonrpc: '2.0', method: 'a' },
      { jsonrpc: '2.0', method: 'b' },
    ]);
  });

  it('ends what the child started when the child ends', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-child-'));
    const pidFile = join(folder, 'pid');
    const grandchild = `const {spawn} = require("child_process"); const c = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"], {stdio: "ignore"}); require("fs").writeFileSync(${JSON.stringify(pidFile)}, String(c.pid)); setInterval(() => 0, 1000)`;
    const { transport } = await run(grandchild);
    while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '')
      await new Promise((resolve) => setTimeout(resolve, 20));
    const pid = Number(readFileSync(pidFile, 'utf8'));
    expect(isRunning(pid)).toBe(true);
    await transport.close();
    await expect.poll(() => isRunning(pid)).toBe(false);
    rmSync(folder, { recursive: true });
  });

  it('kills every living child when this process exits', async () => {
    const { transport, closed } = await run('process.on("SIGTERM", () => 0); setInterval(() => 0, 1000)');
    const pid = transport.pid() ?? 0;
    expect(process.listeners('exit')).toContain(killLiving);
    killLiving();
    await closed;
    expect(isRunning(pid)).toBe(false);
  });
});

/** A killed process that nobody has waited for yet counts as ended. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s*Z/m.test(existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '');
  } catch {
    return false;
  }
}
