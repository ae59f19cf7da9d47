import type { Submitted } from '../../electron/checkpoints/decide.js';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { load } from '../../electron/checkpoints/records.js';
import { thisProcess } from '../../electron/identity.js';
import type { Ports } from '../../electron/ports.js';
import type { KvStore } from '../../electron/store/contract.js';
import { systemClock, systemIds } from '../../electron/system-clock.js';
import type { SuspensionKey } from '../../shared/decision.js';
import type { Outcome } from '../../shared/refusal.js';
import { Settings } from '../../shared/settings.js';
import { ADA, signingAs } from '../helpers/signer.js';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A run id of this number: a ULID, spread over the alphabet as random ones are. */
export function runId(n: number): string {
  let text = '';
  let state = (n * 2_654_435_761 + 12_345) % 4_294_967_296;
  for (let at = 0; at < 10; at += 1) {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    text += ALPHABET[Math.floor(state / 134_217_728)] ?? '0';
  }
  return `01K${String(n).padStart(8, '0')}${text}`.padEnd(26, '0').slice(0, 26);
}

/** A suspended run of about this many bytes, with one pending call. */
export function recordBytes(n: number, size: number): Uint8Array {
  const args = { amount_cents: 12_900 + n, currency: 'EUR', order_id: `ORD-${n}`, reason: 'damaged on arrival' };
  const call = { id: `call_${n}`, name: 'issue_refund', args };
  const small = JSON.stringify(call).length * 2 + 400;
  const message = (role: string, content: string, calls: unknown[] = []) => ({
    role,
    content,
    tool_calls: calls,
    tool_call_id: null,
  });
  const words = 'Please look at the order, it arrived broken and late. ';
  // Long conversations have many messages, as real ones do.
  const left = Math.max(100, size - small);
  const each = Math.min(left, 4000);
  const history = Array.from({ length: Math.ceil(left / (each + 80)) }, (_, m) =>
    message(m % 2 === 0 ? 'user' : 'assistant', words.repeat(Math.ceil(each / words.length)).slice(0, each)),
  );
  const record = {
    run_id: runId(n),
    step_index: 2,
    thread_id: `thread-${n % 300}`,
    messages: [...history, message('assistant', 'Refunding now.', [call])],
    pending_tool_calls: [call],
    resume_attempted: false,
    created_at: new Date(Date.now() - 3_600_000 - n).toISOString(),
  };
  return new Uint8Array(Buffer.from(JSON.stringify(record), 'utf8'));
}

export function benchPorts(): Ports {
  const settings = Settings.parse({
    reviewer: 'Ada',
    undoSeconds: 0,
    sources: [{ name: 'local', profile: { model: 'm', servers: ['ledger'] } }],
  });
  const refuse = async (): Promise<never> => {
    throw new Error('nothing is dispatched here');
  };
  return {
    clock: systemClock(),
    ids: systemIds(),
    settings: () => settings,
    signing: signingAs(ADA),
    process: thisProcess('bench'),
    isAlive: () => true,
    tools: { open: refuse },
    models: { reachable: refuse, complete: refuse },
  };
}

export function unwrap<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.refusal.code}: ${outcome.refusal.text}`);
  return outcome.value;
}

/** Takes a record in, as the inbox would. */
export async function takeInRun(store: KvStore, ports: Ports, bytes: Uint8Array): Promise<SuspensionKey> {
  const arrival = { bytes, source: 'local', via: 'inbox', route: 'here' } as const;
  return unwrap(await takeIn(store, ports.clock, arrival)).key;
}

/** What a reviewer submits who has the record on screen: so it has been read, as it would be. */
export async function approvalOf(store: KvStore, key: SuspensionKey): Promise<Submitted> {
  const { head, revision, record } = unwrap(await load(store, key));
  return {
    key,
    binding: { revision, resumeStep: record.resumeStep, digest: head.digest },
    verdicts: (record.pending ?? []).map(({ index, argumentsSha256 }) => ({
      index,
      argumentsSha256,
      verdict: 'approve',
    })),
    repair: false,
    reviewer: { name: 'Ada' },
  };
}
