import { appendFileSync } from 'node:fs';
import { isAlive, thisProcess } from '../../electron/identity.js';
import type { Ports } from '../../electron/ports.js';
import { systemClock, systemIds } from '../../electron/system-clock.js';
import { Settings } from '../../shared/settings.js';
import { ADA, signingAs } from '../helpers/signer.js';

export const DAY_NS = 24n * 3600n * 1_000_000_000n;

/** The run that a call belongs to stands in its arguments. */
export const callArguments = (run: number): string => `{"run":${run}}`;

/** One line for each effect that really happened. The ledger is the world's: a fault that strikes it is none of the store's. */
export function fire(ledger: string, argumentsText: string): void {
  const line = `${argumentsText}\n`;
  try {
    appendFileSync(ledger, line);
  } catch {
    appendFileSync(ledger, line);
  }
}

/** Everything the domain needs, with a tool that writes a line a call and a model that ends each run. */
export function trialPorts(name: string, ledger: string): Ports {
  const settings = Settings.parse({
    reviewer: name,
    undoSeconds: 0,
    sources: [{ name: 'local', profile: { model: 'm', servers: ['ledger'] } }],
  });
  const tool = { server: 'ledger', name: 'run_shell', description: '', inputSchema: '{"type":"object"}', claims: {} };
  return {
    clock: systemClock(),
    ids: systemIds(),
    settings: () => settings,
    signing: signingAs(ADA),
    process: thisProcess(name),
    isAlive: (by) => isAlive(by) === 'yes',
    tools: {
      open: async () => ({
        ok: true,
        value: {
          tools: [tool],
          call: async (_tool, argumentsText) => {
            fire(ledger, argumentsText);
            return { kind: 'result', text: 'done' };
          },
          close: async () => undefined,
        },
      }),
    },
    models: {
      reachable: async () => ({ ok: true, value: null }),
      complete: async () => ({ kind: 'message', content: 'done', toolCalls: [], finishReason: 'stop' }),
    },
  };
}

/** The same with a clock that is behind by some days. */
export function earlier(ports: Ports, days: bigint): Ports {
  return { ...ports, clock: { ...ports.clock, now: () => ports.clock.now() - days * DAY_NS } };
}
