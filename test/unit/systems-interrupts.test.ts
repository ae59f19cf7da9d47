import { describe, expect, test } from 'vitest';
import { handOver } from '../../electron/checkpoints/handover.js';
import { load } from '../../electron/checkpoints/records.js';
import type { Verdict } from '../../shared/decision.js';
import { fixtureOf, SystemsWorld, textOf } from '../helpers/systems.js';
import { refusalOf, unwrap } from '../helpers/world.js';

const INTERRUPT = 'wf-01-waiting-interrupt.json';
const command = (kind: string) => JSON.parse(textOf(fixtureOf('runifold', `wf-command-${kind}.json`)));

async function decided(verdict: Partial<Verdict>) {
  const w = new SystemsWorld();
  const key = await w.put(fixtureOf('runifold', INTERRUPT), { route: 'handed_over' });
  return { w, key, said: await w.say(key, [verdict]) };
}

describe('R12 R13 an interrupt of a workflow, decided and handed over as its own command', () => {
  test.each<[string, Partial<Verdict>]>([
    ['approve', {}],
    ['edit', { editedArguments: '{"order_id":"ORD-4471","amount_cents":9900}' }],
    ['reject', { verdict: 'reject', reason: command('reject').decision.reason }],
  ])('%s: as runifold writes it, once, and the same again for the same token', async (kind, verdict) => {
    const { w, key, said } = await decided(verdict);
    unwrap(said);
    const answer = unwrap(await handOver(w.store, w.ports, key, 'token'));
    const { decision_id: id, ...rest } = JSON.parse(answer.systemDecision ?? '');
    const { decision_id: _id, ...expected } = command(kind);
    expect(rest).toEqual(expected);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    expect(Object.keys(JSON.parse(answer.systemDecision ?? ''))).toEqual(Object.keys(command(kind)));
    expect(unwrap(await handOver(w.store, w.ports, key, 'token'))).toEqual(answer);
    expect(refusalOf(await handOver(w.store, w.ports, key, 'another'))).toBe('already_claimed');
    expect(answer.record).toBe(textOf(fixtureOf('runifold', INTERRUPT)));
    expect(w.ledger).toEqual([]);
  });

  test.each(['3', '[1.0,9007199254740993]', '"as text"', 'null', '{"z":18446744073709551616,"a":-0.0}'])(
    'edited to %s, which is any JSON value: every number as typed, keys sorted',
    async (value) => {
      const { w, key, said } = await decided({ editedArguments: value });
      unwrap(said);
      const { systemDecision } = unwrap(await handOver(w.store, w.ports, key, 'token'));
      const sorted = value.startsWith('{') ? '{"a":-0.0,"z":18446744073709551616}' : value;
      expect(systemDecision).toContain(`"decision":{"kind":"edit","value":${sorted}}`);
    },
  );

  test.each([
    ['{"amount_cents":"12900"}', 'amount_cents was of type number'],
    ['{"a":1,"a":2}', 'duplicate key'],
    ['{"a":', 'not valid JSON'],
  ])('C20 edited to %s: refused, nothing is written', async (value, words) => {
    const { w, key, said } = await decided({ editedArguments: value });
    expect(refusalOf(said)).toBe('invalid_edit');
    expect(said.ok || said.refusal.text).toContain(words);
    expect(unwrap(await load(w.store, key)).decision.kind).toBe('none');
  });

  test('R12 a reason or a value beyond its limits is refused before anything is written', async () => {
    for (const verdict of [
      { verdict: 'reject' as const, reason: 'x'.repeat(4097) },
      { editedArguments: `"${'x'.repeat(1024 * 1024)}"` },
    ]) {
      const { w, key, said } = await decided(verdict);
      expect(refusalOf(said)).toBe('bad_request');
      expect(unwrap(await load(w.store, key)).decision.kind).toBe('none');
    }
  });
});
