import { describe, expect, it } from 'vitest';
import type { RunRow } from '../../shared/run-row.js';
import type { DomainProcess } from '../helpers/domain-process.js';
import { processesOnOneStore, soon, take as takeText, value } from '../helpers/two-processes.js';
import { klieoRecord } from '../helpers/world.js';

const { start, lines } = processesOnOneStore();
const runId = (n: number) => `01K0QZ6V5M3H8D7N2B4C${String(n).padStart(6, '0')}`;
const record = (n: number) =>
  new TextDecoder().decode(
    klieoRecord({ runId: runId(n), calls: [{ id: 'c', name: 'run_shell', args: `{"n":${n}}` }] }),
  );
const take = (process: DomainProcess, n: number, route = 'here') => takeText(process, record(n), route);

describe('two processes on one store', () => {
  it('I1 C03 both approve and resume the same run at once, 200 trials: 200 ledger lines, never more', async () => {
    const [a, b] = [start('a'), start('b')];
    for (let n = 0; n < 200; n++) {
      const key = await take(a, n);
      const at = soon();
      const said = await Promise.all([a.ask('decide', key, { at }), b.ask('decide', key, { at })]);
      expect(said.filter((s) => s?.ok)).toHaveLength(1);
      const then = soon();
      const ended = await Promise.all([a.ask('resume', key, { at: then }), b.ask('resume', key, { at: then })]);
      expect(ended.filter((e) => e?.ok)).toHaveLength(1);
      const lost = ended.find((e) => !e?.ok);
      expect(lost && !lost.ok && lost.refusal?.code).toMatch(/already_claimed|nothing_to_continue/);
      expect(lines(), `trial ${n}`).toHaveLength(n + 1);
    }
  }, 300_000);

  it('C75 approve and reject at once, 100 trials each way: one stands, the other is told', async () => {
    const [a, b] = [start('a'), start('b')];
    for (let n = 0; n < 100; n++) {
      const key = await take(b, n);
      const at = soon();
      const verdicts = n % 2 ? (['approve', 'reject'] as const) : (['reject', 'approve'] as const);
      const said = await Promise.all([
        a.ask('decide', key, { at, verdict: verdicts[0] }),
        b.ask('decide', key, { at, verdict: verdicts[1] }),
      ]);
      expect(said.filter((s) => s?.ok)).toHaveLength(1);
      const lost = said.find((s) => !s?.ok);
      expect(lost && !lost.ok && lost.refusal?.code).toBe('already_decided');
    }
  }, 180_000);

  it('I2 an undo against a hand-over in another process, 100 trials: exactly one of them holds', async () => {
    const [a, b] = [start('a'), start('b')];
    for (let n = 0; n < 100; n++) {
      const key = await take(a, n, 'handed_over');
      value(await a.ask('decide', key));
      const at = soon();
      const [undone, claimed] = await Promise.all([
        a.ask('undo', key, { at }),
        b.ask('await', key, { at, token: `t${n}` }),
      ]);
      expect([undone?.ok, claimed?.ok].filter(Boolean), JSON.stringify([undone, claimed])).toHaveLength(1);
    }
  }, 180_000);

  it('H13 one token gets the decision, again and again; the others are refused', async () => {
    const [a, b] = [start('a'), start('b')];
    for (let n = 0; n < 30; n++) {
      const key = await take(a, n, 'handed_over');
      value(await a.ask('decide', key));
      const at = soon();
      const got = await Promise.all([
        a.ask('await', key, { at, token: 'one' }),
        b.ask('await', key, { at, token: 'two' }),
      ]);
      expect(got.filter((g) => g?.ok)).toHaveLength(1);
      const winner = got[0]?.ok ? 'one' : 'two';
      expect(await b.ask('await', key, { token: winner })).toEqual(got.find((g) => g?.ok));
      expect(await a.ask('await', key, { token: 'three' })).toMatchObject({
        ok: false,
        refusal: { code: 'already_claimed' },
      });
    }
  }, 180_000);
});

/** Points between durable writes and effects, in the order in which one resume passes them. */
const POINTS = [
  'decide.before-write',
  'decide.after-write',
  'claim.before-latch',
  'claim.after-latch',
  'resume.before-journal',
  'resume.after-journal',
  'dispatch.before-started',
  'dispatch.before-call',
  'tool.after-effect',
  'dispatch.before-outcome',
  'dispatch.after-outcome',
  'resume.before-memory',
  'resume.after-memory',
  'resume.before-end',
];

describe('I4 I8 kill -9 at every step, then a restart', () => {
  it.each(POINTS)(
    '%s: never a second line, never a lost acknowledged decision, unknown is listed as such',
    async (point) => {
      const first = start('first', { HOLDPOINT_KILL_AT: point });
      const key = await take(first, 1);
      const said = await first.ask('decide', key);
      const resumed = said === null ? null : await first.ask('resume', key);
      expect(resumed, 'the process must have ended at its point').toBeNull();
      await first.ended;

      const second = start('second');
      value(await second.ask('recover', null));
      const row = async () => value<RunRow[]>(await second.ask('list', null))[0];
      if (said?.ok) expect((await row())?.decidedBy).toBe('first');
      const before = lines().length;
      const again = await second.ask('resume', key);
      expect(lines().length).toBeLessThanOrEqual(1);
      if (before === 1) expect(lines()).toHaveLength(1);
      const status = (await row())?.status;
      const effect = POINTS.indexOf(point);
      if (effect < POINTS.indexOf('decide.after-write')) expect(status).toBe('waiting');
      // Started and not answered: it may have run, whether it did or not. Only a person goes on.
      else if (
        point === 'dispatch.before-call' ||
        point === 'tool.after-effect' ||
        point === 'dispatch.before-outcome'
      ) {
        expect(status).toBe('unknown_outcome');
        expect(again).toMatchObject({ ok: false, refusal: { code: 'unknown_outcome' } });
      } else {
        expect(status).toBe('finished');
        expect(lines()).toHaveLength(1);
      }
    },
    30_000,
  );
});
