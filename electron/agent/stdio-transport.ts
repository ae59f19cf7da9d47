import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { type EndTimes, endChild, guardChild } from './child-life.js';
import type { ChildRecords } from './left-children.js';
import { makeLineReader } from './line-reader.js';
import { makeUnaskedBudget, UNASKED_LIMITS, type UnaskedLimits } from './unasked-budget.js';

export interface StdioLimits extends EndTimes, UnaskedLimits {
  /** Bytes of one line of output. */
  line: number;
  /** Bytes of everything that is no message: the error stream, and lines that are not JSON-RPC. */
  noise: number;
  /** Bytes that may wait for the child to read them before another message is sent. */
  waiting: number;
}

export const STDIO_LIMITS: StdioLimits = {
  ...UNASKED_LIMITS,
  line: 32 * 1024 * 1024,
  noise: 16 * 1024 * 1024,
  waiting: 16 * 1024 * 1024,
  polite: 1000,
  term: 2000,
};

interface StdioCommand {
  /** Absolute path; checked by the caller. Never goes through a shell. */
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
}

export interface StdioTransport extends Transport {
  /** Process id while the child lives. */
  pid(): number | null;
  /** How the child ended or why it was cut off, with its last words; '' while there is nothing to say. */
  story(): string;
}

const TAIL = 2000;

/**
 * JSON-RPC lines over a child process. `rewrite` sees each serialised message last. A line end inside a message would
 * break the framing; between the tokens of raw arguments it is replaced by a space, which changes no value.
 */
export function makeStdioTransport(
  command: StdioCommand,
  rewrite: (serialised: string) => string,
  limits: StdioLimits = STDIO_LIMITS,
  records: ChildRecords | null = null,
): StdioTransport {
  let child: ChildProcessByStdio<Writable, Readable, Readable> | null = null;
  let ending: Promise<void> | null = null;
  let story = '';
  let tail = '';
  let noise = 0;
  let closed = false;
  const unasked = makeUnaskedBudget(limits);

  const close = (): Promise<void> => {
    ending ??= child === null ? Promise.resolve() : endChild(child, limits);
    return ending;
  };
  const finish = (): void => {
    if (closed) return;
    closed = true;
    transport.onclose?.();
  };
  const cutOff = (why: string): void => {
    if (story !== '') return;
    story = why;
    transport.onerror?.(new Error(why));
    // No more is read, so that a flood cannot fill the memory while the child is being ended.
    child?.stdout.destroy();
    child?.stderr.destroy();
    void close();
  };
  const addNoise = (bytes: number): void => {
    noise += bytes;
    if (noise > limits.noise) cutOff(`it wrote more than ${limits.noise} bytes that are no message`);
  };
  const onLine = (line: string, bytes: number): void => {
    if (story !== '' || line.trim() === '') return;
    const message = parseMessage(line);
    if (message === null) {
      addNoise(bytes);
      transport.onerror?.(new Error('A line of output is no JSON-RPC message.'));
      return;
    }
    const flood = unasked.spend(message, bytes);
    if (flood === null) transport.onmessage?.(message);
    else cutOff(flood);
  };

  const transport: StdioTransport = {
    pid: () => child?.pid ?? null,
    story: () => [story, lastWords(tail)].filter((part) => part !== '').join(': '),
    start() {
      if (child !== null) return Promise.reject(new Error('This tool server was started already.'));
      return new Promise((resolve, reject) => {
        const started = spawn(command.command, [...command.args], {
          cwd: command.cwd,
          env: { ...command.env },
          stdio: ['pipe', 'pipe', 'pipe'],
          shell: false,
          // A group of its own, so that whatever the server starts can be ended with it.
          detached: process.platform !== 'win32',
          windowsHide: true,
        });
        child = started;
        const reader = makeLineReader(limits.line, onLine);
        started.stdout.on('data', (chunk: Buffer) => {
          if (!reader.push(chunk)) cutOff(`it wrote a line of more than ${limits.line} bytes`);
        });
        started.stderr.on('data', (chunk: Buffer) => {
          tail = (tail + chunk.toString('utf8', Math.max(0, chunk.length - TAIL))).slice(-TAIL);
          addNoise(chunk.length);
        });
        for (const stream of [started.stdin, started.stdout, started.stderr]) {
          stream.on('error', (error) => transport.onerror?.(error));
        }
        started.on('error', (error) => {
          transport.onerror?.(error);
          reject(error);
        });
        started.on('spawn', () => {
          guardChild(started);
          if (started.pid !== undefined) records?.note(started.pid);
          resolve();
        });
        started.on('exit', (code, signal) => {
          if (started.pid !== undefined) records?.forget(started.pid);
          if (story === '' && ending === null) story = `it ended with ${signal ?? `exit code ${code}`}`;
          // A stray process that kept the pipes open must not keep the connection looking alive.
          setTimeout(() => {
            started.stdout.destroy();
            started.stderr.destroy();
          }, limits.polite).unref();
        });
        started.on('close', finish);
      });
    },
    send(message) {
      return new Promise((resolve, reject) => {
        if (child === null || ending !== null || !child.stdin.writable) {
          reject(new Error('The tool server is no longer connected.'));
          return;
        }
        if (child.stdin.writableLength > limits.waiting) {
          cutOff(`it left more than ${limits.waiting} bytes unread`);
          reject(new Error('The tool server does not read what is sent to it.'));
          return;
        }
        unasked.sent(message);
        const line = `${rewrite(JSON.stringify(message)).replace(/[\r\n]/g, ' ')}\n`;
        child.stdin.write(line, 'utf8', (error) => (error ? reject(error) : resolve()));
      });
    },
    async close() {
      await close();
      finish();
    },
  };
  return transport;
}

function parseMessage(line: string): JSONRPCMessage | null {
  try {
    const parsed = JSONRPCMessageSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    // Log output on the wrong stream; counted as noise by the caller.
    return null;
  }
}

function lastWords(tail: string): string {
  const lines = tail.split('\n').filter((line) => line.trim() !== '');
  return (lines.at(-1) ?? '').trim().slice(0, 300);
}
