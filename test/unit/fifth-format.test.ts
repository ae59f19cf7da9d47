import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { handOver, reportCall, startCall } from '../../electron/checkpoints/handover.js';
import { parseSuspension } from '../../electron/checkpoints/keys.js';
import { load } from '../../electron/checkpoints/records.js';
import { FORMATS } from '../../electron/formats/list.js';
import { inspectJson, readRecord } from '../../electron/formats/read-record.js';
import { RunRow } from '../../shared/run-row.js';
import { run, runJson } from '../helpers/cli-run.js';
import { fixtureOf, SystemsWorld, textOf } from '../helpers/systems.js';
import { refusalOf, unwrap } from '../helpers/world.js';

// The one line of the list. Nothing else is told that there is a fifth system.
vi.mock('../../electron/formats/list.js', async (real) => {
  const list = await real<typeof import('../../electron/formats/list.js')>();
  const { fifth } = await import('../helpers/fifth-format.js');
  return { FORMATS: [...list.FORMATS, fifth] };
});

const of = (file: string): Uint8Array => fixtureOf('fifth', file);
const THREE = 'parallel3.json';
const json = (text: string | null): unknown => JSON.parse(text ?? 'null');
const approve = {};
const deny = { verdict: 'reject' as const, reason: 'Wrong IBAN ⛔' };

describe('a fifth system is one file, one line of the list, and fixtures', () => {
  test('every name is one of its own, and fit for a key of the store', () => {
    const names = FORMATS.map(({ system }) => system);
    expect(names).toContain('fifth');
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(parseSuspension(`${name}:local:1:r`)).toMatchObject({ system: name });
    expect(parseSuspension('sixth:local:1:r')).toBeNull();
  });

  test('detected by its content, and read to the normal form; a fault is named with its place', () => {
    expect(readRecord(of(THREE))).toMatchObject({ ok: true, rule: 'fifth: the keys messages and requests' });
    const seen = JSON.parse(inspectJson(of(THREE)));
    expect(seen).toMatchObject({ system: 'fifth', state: 'waiting', resumable: true, messages: 4, refusal: null });
    expect(seen.pending.map(({ name }: { name: string }) => name)).toEqual([
      'send_payment',
      'delete_file',
      'send_email',
    ]);
    const broken = new TextEncoder().encode(textOf(of(THREE)).replace('"part_kind": "tool-call"', '"part_kind": 7'));
    expect(JSON.parse(inspectJson(broken))).toMatchObject({
      system: 'fifth',
      state: 'unreadable',
      refusal: { code: 'wrong_type', path: 'messages[1].parts[1].part_kind', line: expect.any(Number) },
    });
  });

  test('taken in, listed and opened like any other; the row is one that the page takes', async () => {
    const w = new SystemsWorld();
    const key = await w.put(of(THREE));
    const row = await w.row(key);
    expect(RunRow.parse(row)).toMatchObject({ system: 'fifth', status: 'waiting', calls: 3, effect: 'destructive' });
    const detail = await w.detail(key);
    expect(detail.calls.map(({ argumentsText }) => json(argumentsText))).toMatchObject([
      { to: 'ACME GmbH' },
      { path: '/srv/exports/2025-q4.csv' },
      { subject: 'Refund issued' },
    ]);
    expect(unwrap(await load(w.store, key)).format.latchedView(of(THREE))).toEqual(of(THREE));
  });

  test('decided and handed over exactly once, in the form that the framework itself resumes from', async () => {
    const w = new SystemsWorld();
    const key = await w.put(of(THREE), { route: 'handed_over' });
    expect(refusalOf(await w.say(key, [approve, { ...approve, editedArguments: '[1]' }, approve]))).toBe(
      'invalid_edit',
    );
    unwrap(await w.say(key, [approve, deny, approve]));
    const answer = unwrap(await handOver(w.store, w.ports, key, 'token'));
    expect(json(answer.systemDecision)).toEqual(json(textOf(of('parallel3.decided.mixed.json'))));
    expect(answer.record).toBe(textOf(of(THREE)));
    expect(refusalOf(await handOver(w.store, w.ports, key, 'another'))).toBe('already_claimed');
    unwrap(await startCall(w.store, w.ports, key, 0, 'token'));
    unwrap(await reportCall(w.store, w.ports, key, 0, 'token', { kind: 'result', text: 'paid' }));
    expect(refusalOf(await startCall(w.store, w.ports, key, 1, 'token'))).toBe('illegal_call_state');
  });

  test('an edit reaches it as its own override', async () => {
    const w = new SystemsWorld();
    const key = await w.put(of('single.json'), { route: 'handed_over' });
    const written = unwrap(await load(w.store, key)).record.pending?.[0]?.arguments ?? '';
    unwrap(await w.say(key, [{ editedArguments: written.replace('129900', '100') }]));
    const answer = unwrap(await handOver(w.store, w.ports, key, 'token'));
    expect(json(answer.systemDecision)).toEqual(json(textOf(of('single.decided.edit.json'))));
  });

  test('continued here: what was approved runs once, the written record is read back one step further and goes on', async () => {
    const w = new SystemsWorld();
    const key = await w.put(of(THREE));
    unwrap(await w.say(key, [approve, deny, approve]));
    w.asks({ id: 'call_next', name: 'send_payment', arguments: '{"amount":9007199254740993}' });
    unwrap(await w.resume(key));
    expect(w.ledger.map(({ tool }) => tool)).toEqual(['send_payment', 'send_email']);
    expect(refusalOf(await w.resume(key, 'again'))).toBe('nothing_to_continue');
    const next = unwrap(await load(w.store, { ...key, seq: 2 }));
    expect(textOf(next.bytes)).toContain('9007199254740993');
    expect(next.record).toMatchObject({ system: 'fifth', runId: key.runId, state: 'waiting' });
    expect(next.record.messages.slice(4).map(({ role, toolCallId }) => toolCallId ?? role)).toEqual([
      'call_pay_1',
      'call_del_1',
      'call_mail_1',
      'assistant',
    ]);
    unwrap(await w.say({ ...key, seq: 2 }, [approve]));
    w.answersWith('Done.');
    unwrap(await w.resume({ ...key, seq: 2 }));
    expect((await w.row({ ...key, seq: 2 })).status).toBe('finished');
    expect(w.ledger.at(-1)).toEqual({ tool: 'send_payment', arguments: '{"amount":9007199254740993}' });
  });

  test('the command line reads and keeps it', async () => {
    const data = mkdtempSync(join(tmpdir(), 'holdpoint-fifth-'));
    const file = join(data, 'record.bin');
    writeFileSync(file, of(THREE));
    expect((await run(['inspect', file])).out).toContain('fifth');
    const { value } = await runJson(['suspend', file, '--data', data]);
    expect(JSON.stringify(value)).toContain('fifth:local:1:');
    rmSync(data, { recursive: true, force: true });
  });
});
