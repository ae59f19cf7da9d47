import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { load } from '../../electron/checkpoints/records.js';
import { inspectJson, readRecord } from '../../electron/formats/read-record.js';
import { bytesOf, fixtureOf, SystemsWorld, textOf } from '../helpers/systems.js';
import { FIXTURES, refusalOf, unwrap } from '../helpers/world.js';

const files = ['starweaver', 'runifold', 'cyrene'].flatMap((system) =>
  readdirSync(join(FIXTURES, system))
    .filter((file) => file.endsWith('.json') && file !== 'index.json')
    .map((file) => [system, file] as const),
);

describe('every fixture as the window gets it', () => {
  test.each(files)('%s %s', async (system, file) => {
    const bytes = fixtureOf(system, file);
    const read = readRecord(bytes);
    const inspected = JSON.parse(inspectJson(bytes));
    const w = new SystemsWorld();
    const taken = await takeIn(w.store, w.ports.clock, { bytes, source: 'local', via: 'file', route: 'here' });
    if (!read.ok) {
      // Records beside a checkpoint are no checkpoints, and are kept with their run.
      if (taken.ok) expect(taken.value.beside).toBeDefined();
      else expect(refusalOf(taken)).toBe('unreadable');
      expect(inspected.refusal).toMatchObject({ code: read.refusal.code, text: expect.stringMatching(/./) });
      expect(await w.rows()).toEqual([]);
      return;
    }
    const { key } = unwrap(taken);
    const { record } = read;
    const [row, detail] = [await w.row(key), await w.detail(key)];
    expect(unwrap(await load(w.store, key)).bytes).toEqual(bytes);
    expect(detail.classification).toBe(record.classification);
    expect(inspected).toMatchObject({ classification: record.classification, about: record.about });
    expect(detail.about).toEqual(record.about);
    expect(detail.row).toEqual(row);
    const words = `${row.status} ${row.needsPerson} ${row.other === true} ${detail.goesOn === true}`;
    const right = {
      waiting: 'waiting true false false',
      running: `not_continued false true ${record.resumable}`,
      in_flight: 'not_continued false true false',
      finished: 'finished false true false',
      latched: '',
    };
    expect(words).toBe(right[record.state]);
    expect(row.classification).toBe((record.classification ?? '').slice(0, 120));
    expect(detail.approveBlocked.length === 0).toBe(record.resumable);
    // What is no JSON object can be sent to no tool server: that call says so, and only that call.
    expect(detail.calls.some((call) => call.sentAs === 'not_sendable')).toBe(file.startsWith('16-invalid'));
  });
});

test('the warnings of a call stand at that call, wherever its system keeps it', async () => {
  const w = new SystemsWorld();
  const invalid = await w.put(fixtureOf('starweaver', '16-invalid-json-arguments.json'));
  expect((await w.detail(invalid)).calls[0]?.warnings.map(({ code }) => code)).toEqual([
    'arguments_not_an_object',
    'arguments_invalid',
  ]);
  const deferred = await w.put(fixtureOf('starweaver', '03-waiting-approval-and-deferred.json'));
  expect((await w.detail(deferred)).calls.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual([
    [],
    ['needs_result'],
  ]);
  const text = textOf(fixtureOf('runifold', 'wf-01-waiting-interrupt.json'));
  const twice = await w.put(bytesOf(text.replaceAll('"amount_cents":12900', '"amount_cents":1,"amount_cents":12900')));
  const codes = (await w.detail(twice)).calls[0]?.warnings.map(({ code }) => code);
  expect(codes).toContain('duplicate_key');
});
