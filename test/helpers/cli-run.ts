import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { main } from '../../electron/cli.js';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

class Collected extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

/** Runs one command in this process. */
export async function run(argv: readonly string[], stdin: string | Uint8Array = ''): Promise<Ran> {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const code = await main(argv, { stdout, stderr, stdin: Readable.from([Buffer.from(stdin)]) });
  return { code, out: stdout.text, err: stderr.text };
}

/** The one JSON object that a command with `--json` prints. */
export async function runJson(
  argv: readonly string[],
  stdin: string | Uint8Array = '',
): Promise<{ code: number; value: Record<string, unknown> }> {
  const { code, out } = await run([...argv, '--json'], stdin);
  return { code, value: JSON.parse(out) as Record<string, unknown> };
}

/** Runs a program to its end. */
export function runProcess(
  file: string,
  args: readonly string[],
  { env = {}, cwd, uid }: { env?: Record<string, string>; cwd?: string; uid?: number } = {},
): Promise<Ran> {
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const ran: Ran = { code: -1, out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    ran.out += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    ran.err += chunk.toString('utf8');
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...ran, code: code ?? -1 }));
  });
}
