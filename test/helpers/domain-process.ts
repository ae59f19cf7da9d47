import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SuspensionKey } from '../../shared/decision.js';

const LEDGER_SERVER = fileURLToPath(new URL('ledger-server.mjs', import.meta.url));

export type Answer =
  | { ok: true; value: unknown }
  | { ok: false; refusal?: { code: string; text: string }; fault?: string };

/** One process of test/crash/domain-worker.ts. An answer of null: the process ended before it could answer. */
export class DomainProcess {
  readonly #child: ChildProcess;
  readonly #open = new Map<number, (answer: Answer | null) => void>();
  readonly ended: Promise<void>;
  #count = 0;

  constructor(file: string, root: string, ledger: string, name: string, env: Record<string, string> = {}) {
    this.#child = spawn(process.execPath, [file, root, ledger, name], {
      env: { ...process.env, HOLDPOINT_LEDGER_SERVER: LEDGER_SERVER, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    createInterface({ input: this.#child.stdout ?? process.stdin }).on('line', (line) => {
      const { id, answer } = JSON.parse(line) as { id: number; answer: Answer };
      this.#open.get(id)?.(answer);
      this.#open.delete(id);
    });
    this.#child.stdin?.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      this.#child.once('close', () => {
        for (const settle of this.#open.values()) settle(null);
        resolve();
      });
    });
  }

  ask(act: string, key: SuspensionKey | null, more: Record<string, unknown> = {}): Promise<Answer | null> {
    const id = ++this.#count;
    return new Promise((resolve) => {
      this.#open.set(id, resolve);
      this.#child.stdin?.write(`${JSON.stringify({ id, act, key, ...more })}\n`);
    });
  }

  async stop(): Promise<void> {
    this.#child.stdin?.end();
    await this.ended;
  }
}
