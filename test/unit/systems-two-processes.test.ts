import { describe, expect, it } from 'vitest';
import { readRecord } from '../../electron/formats/read-record.js';
import type { Message } from '../../shared/checkpoint.js';
import type { RunRow } from '../../shared/run-row.js';
import { bytesOf, fixtureOf, textOf } from '../helpers/systems.js';
import { processesOnOneStore, soon, take, value } from '../helpers/two-processes.js';

const { start, lines } = processesOnOneStore();

const hex = (n: number) => String(n).padStart(12, '0');

/** A record of a run of its own in which one call waits for a person, as the system itself or Holdpoint writes it. */
const RECORDS: Record<string, { lost: string | undefined; record(n: number): string }> = {
  starweaver: {
    lost: 'Conflict',
    record: (n) =>
      textOf(fixtureOf('starweaver', '01-waiting-one-approval.json'))
        .replaceAll('1c2d3e4f5a6b', hex(n))
        .replaceAll('shell_exec', 'run_shell'),
  },
  runifold: {
    lost: 'Conflict',
    record: (n) =>
      held('runifold', '03-ready-after-parallel-tools.json', (text) => text.replaceAll('0198f0c1', hex(n).slice(-8))),
  },
  cyrene: {
    lost: undefined,
    record: (n) => held('cyrene', '01-interrupted-tool-loop.json', (text) => text.replaceAll('sess-42', `sess-${n}`)),
  },
};

/** The record that Holdpoint wrote when the model asked for a call that needs review. */
function held(system: string, file: string, own: (text: string) => string): string {
  const bytes = bytesOf(own(textOf(fixtureOf(system, file))));
  const read = readRecord(bytes);
  if (!read.ok) throw new Error(read.refusal.text);
  const call = { id: 'c', name: 'run_shell', arguments: '{"n":9007199254740993}' };
  const asked: Message = { role: 'assistant', content: '', toolCalls: [call], toolCallId: null };
  const messages = [...read.record.messages, asked];
  const createdAt = '2026-07-20T10:00:00Z';
  const pending = [{ index: 0, ...call }];
  return textOf(read.format.writeContinued(bytes, { messages, pending, step: read.record.resumeStep, createdAt }));
}

describe.each(Object.keys(RECORDS))('%s: two processes on one store', (system) => {
  const { lost, record } = RECORDS[system] ?? { lost: undefined, record: () => '' };

  it(`continue the same record at once, 100 trials: one wins, the other is refused${lost ? ` as ${lost}` : ''}`, async () => {
    const [a, b] = [start('a'), start('b')];
    for (let n = 0; n < 100; n++) {
      const key = await take(a, record(n));
      expect(key.system).toBe(system);
      value(await a.ask('decide', key));
      const at = soon();
      const ended = await Promise.all([a.ask('resume', key, { at }), b.ask('resume', key, { at })]);
      expect(
        ended.filter((end) => end?.ok),
        JSON.stringify(ended),
      ).toHaveLength(1);
      const loser = ended.find((end) => !end?.ok);
      const refusal =
        loser && !loser.ok
          ? (loser.refusal as { code: string; text: string; facts?: Record<string, unknown> })
          : undefined;
      expect(refusal?.code, `trial ${n}`).toMatch(/^(already_claimed|nothing_to_continue)$/);
      expect(refusal?.facts?.['upstream']).toBe(lost);
      if (lost) expect(refusal?.text.startsWith(`${lost}: `)).toBe(true);
      expect(lines(), `trial ${n}`).toHaveLength(n + 1);
    }
  }, 300_000);

  it.each([
    ['claim.after-latch', 0],
    ['resume.after-journal', 0],
    ['dispatch.before-started', 0],
    ['dispatch.before-call', 'unknown'],
    ['tool.after-effect', 'unknown'],
    ['dispatch.before-outcome', 'unknown'],
    ['dispatch.after-outcome', 1],
    ['resume.before-end', 1],
    ['resume.after-finished', 1],
  ] as const)(
    'kill -9 at %s, then a restart: never a second line',
    async (point, ran) => {
      const first = start('first', { HOLDPOINT_KILL_AT: point });
      const key = await take(first, record(1));
      value(await first.ask('decide', key));
      expect(await first.ask('resume', key), 'the process must have ended at its point').toBeNull();
      await first.ended;
      const second = start('second');
      value(await second.ask('recover', null));
      const row = async () => {
        const rows = value<RunRow[]>(await second.ask('list', null));
        return rows.find((one) => one.runId === key.runId && one.seq === key.seq);
      };
      const before = lines().length;
      if (ran !== 'unknown') expect(before).toBe(ran);
      const again = await second.ask('resume', key);
      if (ran === 'unknown') {
        expect((await row())?.status).toBe('unknown_outcome');
        expect(again).toMatchObject({ ok: false, refusal: { code: 'unknown_outcome' } });
        expect(lines()).toHaveLength(before);
      } else {
        expect((await row())?.status).toBe('finished');
        expect(lines()).toHaveLength(1);
      }
    },
    30_000,
  );
});

describe('a record in which nothing waits, continued by two processes at once', () => {
  it.each([
    ['runifold', '03-ready-after-parallel-tools.json', '0198f0c1', false],
    ['runifold', '04-turn-2-in-flight.json', '0198f0c1', true],
    ['cyrene', '01-interrupted-tool-loop.json', 'sess-42', false],
  ] as const)(
    '%s %s: one goes on',
    async (system, file, part, retry) => {
      const [a, b] = [start('a'), start('b')];
      for (let n = 0; n < 20; n++) {
        const own = system === 'cyrene' ? `sess-${n}` : hex(n).slice(-8);
        const key = await take(a, textOf(fixtureOf(system, file)).replaceAll(part, own));
        value(await a.ask('decide', key, { retry }));
        const at = soon();
        const ended = await Promise.all([a.ask('resume', key, { at }), b.ask('resume', key, { at })]);
        expect(
          ended.filter((end) => end?.ok),
          JSON.stringify(ended),
        ).toHaveLength(1);
        const rows = value<RunRow[]>(await a.ask('list', null)).filter(({ runId }) => runId === key.runId);
        expect(rows.map(({ status }) => status)).toEqual(['finished', 'finished']);
      }
    },
    120_000,
  );
});
