import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decide } from '../../electron/checkpoints/decide.js';
import { detailOf } from '../../electron/checkpoints/detail.js';
import { load } from '../../electron/checkpoints/records.js';
import { listRows } from '../../electron/checkpoints/rows.js';
import type { ModelAnswer } from '../../electron/ports.js';
import type { Decision, SuspensionKey, Verdict } from '../../shared/decision.js';
import type { RunDetail } from '../../shared/ipc.js';
import type { Outcome } from '../../shared/refusal.js';
import type { RunRow } from '../../shared/run-row.js';
import { ALL_TOOLS, FIXTURES, unwrap, World } from './world.js';

export const fixtureOf = (system: string, file: string): Uint8Array =>
  new Uint8Array(readFileSync(join(FIXTURES, system, file)));
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A world whose tool server offers what the fixtures of all systems call. */
export class SystemsWorld extends World {
  override offered = [...ALL_TOOLS, 'shell_exec', 'deploy', 'external_search', 'refund', 'lookup'];

  /** What a reviewer submits, bound to what stands in the store now. */
  async say(
    key: SuspensionKey,
    verdicts: readonly Partial<Verdict>[],
    more: { step?: 'approve' | 'reject'; retry?: boolean; repair?: boolean } = {},
  ): Promise<Outcome<Decision>> {
    const { revision, record, head } = unwrap(await load(this.store, key));
    return decide(this.store, this.ports, {
      key,
      binding: { revision, resumeStep: record.resumeStep, digest: head.digest },
      verdicts: verdicts.map((said, index) => ({
        index,
        argumentsSha256: record.pending?.[index]?.argumentsSha256 ?? '',
        verdict: 'approve',
        ...said,
      })),
      ...(more.step ? { step: { verdict: more.step } } : {}),
      repair: more.repair ?? false,
      ...(more.retry ? { retry: true } : {}),
      reviewer: { name: 'Ada' },
    });
  }

  async rows(): Promise<RunRow[]> {
    return listRows(this.store, this.ports, () => null);
  }

  async row(key: SuspensionKey): Promise<RunRow> {
    const name = `s:${key.system}:${key.source}:${key.seq}:${key.runId}`;
    const found = (await this.rows()).find(({ id }) => id === name);
    if (found === undefined) throw new Error(`no row ${name}`);
    return found;
  }

  async detail(key: SuspensionKey): Promise<RunDetail> {
    return unwrap(await detailOf(this.store, this.ports, key, { waiting: () => null, running: false, listed: [] }));
  }

  /** The model asks for these calls next. */
  asks(...calls: { id: string; name: string; arguments: string }[]): void {
    this.answers.push({ kind: 'message', content: '', toolCalls: calls, finishReason: 'tool_calls' });
  }

  answersWith(content: string): void {
    const answer: ModelAnswer = { kind: 'message', content, toolCalls: [], finishReason: 'stop' };
    this.answers.push(answer);
  }
}
