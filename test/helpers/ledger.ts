import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ToolServer } from '../../shared/settings.js';

const program = fileURLToPath(new URL('ledger-server.mjs', import.meta.url));

export interface Ledger {
  folder: string;
  server: Extract<ToolServer, { kind: 'stdio' }>;
  /** One entry for each call that really arrived, in order. */
  lines(): { time: string; tool: string; arguments: string }[];
  /** Every line that the server received, as it came. */
  received(): string[];
  /** Process id of the server that was started last. */
  pid(): number;
  /** Sets how the next calls behave; see ledger-server.mjs. */
  script(behaviours: Record<string, unknown>): void;
  remove(): void;
}

/** A ledger tool server in a folder of its own; `env` adds to what ledger-server.mjs understands. */
export function makeLedger(
  options: { name?: string; env?: Record<string, string>; timeoutSeconds?: number } = {},
): Ledger {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-ledger-'));
  const ledger = join(folder, 'ledger.txt');
  const raw = join(folder, 'received.txt');
  const pid = join(folder, 'pid');
  const script = join(folder, 'script.json');
  writeFileSync(script, '{}');
  const linesOf = (path: string): string[] =>
    existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  return {
    folder,
    server: {
      kind: 'stdio',
      name: options.name ?? 'ledger',
      command: process.execPath,
      args: [program],
      env: { LEDGER: ledger, RAW: raw, PID: pid, SCRIPT: script, ...options.env },
      timeoutSeconds: options.timeoutSeconds ?? 20,
    },
    lines: () =>
      linesOf(ledger).map((line) => {
        const [time = '', tool = '', ...rest] = line.split('\t');
        return { time, tool, arguments: rest.join('\t') };
      }),
    received: () => linesOf(raw),
    pid: () => Number(readFileSync(pid, 'utf8')),
    script: (behaviours) => writeFileSync(script, JSON.stringify(behaviours)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
