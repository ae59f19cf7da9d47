import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import type { SuspensionKey } from '../../shared/decision.js';
import { bundle } from './bundle.js';
import { type Answer, DomainProcess } from './domain-process.js';

/** Processes of their own over one store and one ledger, both new for each test of the file that asks. */
export function processesOnOneStore() {
  let worker = '';
  let folder = '';
  let ledger = '';
  const open: DomainProcess[] = [];
  beforeAll(async () => {
    worker = await bundle(join(import.meta.dirname, '../crash/domain-worker.ts'));
  }, 180_000);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'holdpoint-two-'));
    ledger = join(folder, 'ledger.txt');
    writeFileSync(ledger, '');
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((process) => process.stop()));
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    start(name: string, env: Record<string, string> = {}): DomainProcess {
      const process = new DomainProcess(worker, join(folder, 'store'), ledger, name, env);
      open.push(process);
      return process;
    },
    /** What really ran, one line a call. */
    lines: () => readFileSync(ledger, 'utf8').split('\n').filter(Boolean),
  };
}

/** The value of an answer; a refusal is none, and fails. */
export function value<T>(answer: Answer | null): T {
  if (!answer?.ok) throw new Error(JSON.stringify(answer));
  return answer.value as T;
}

/** Takes a record in, through one of them. */
export async function take(process: DomainProcess, text: string, route = 'here'): Promise<SuspensionKey> {
  return value<{ key: SuspensionKey }>(await process.ask('take', null, { text, token: route })).key;
}

/** A moment at which several of them begin at once. Milliseconds since the epoch. */
export const soon = (): number => Date.now() + 4;
