import { describe, expect, it } from 'vitest';
import { BOUNDS, insightCounter } from '../../electron/checkpoints/insight.js';
import type { Verdict } from '../../shared/decision.js';
import type { HistoryEvent } from '../../shared/history-event.js';

const key = { system: 'klieo', source: 'inbox', runId: 'r', seq: 1 } as const;
const local = (day: number, hour: number, minute = 0): string => new Date(2026, 2, day, hour, minute).toISOString();
const event = (
  at: string,
  kind: string,
  by: string | null = null,
  facts: Record<string, unknown> = {},
): HistoryEvent => ({
  at,
  kind,
  by,
  suspension: key,
  call: null,
  text: '',
  facts,
});
const decided = (at: string, by: string, verdicts: Partial<Verdict>[], tools = ['send', 'wipe', 'look']) =>
  event(at, 'decided', by, {
    verdicts: verdicts.map((verdict, index) => ({ index, argumentsSha256: 'x', verdict: 'approve', ...verdict })),
    tools,
  });

function counter(now = new Date(2026, 2, 5, 12)) {
  return insightCounter({
    now: now.getTime(),
    days: 3,
    reviewer: 'Ada',
    effectOf: (_source, tool) => (tool === 'wipe' ? 'destructive' : 'changes'),
  });
}

describe('insight', () => {
  it('what waited at the end of each day, what was decided in it, and by whom', () => {
    const count = counter();
    count.add([event(local(3, 9), 'taken_in'), decided(local(4, 10), 'Ada', [{}])], ['send'], true);
    count.add([event(local(4, 9), 'taken_in'), decided(local(4, 11), 'Bob', [{}])], ['send'], true);
    count.add([event(local(5, 9), 'taken_in')], ['send'], true);
    expect(count.result().days).toEqual([
      { day: '2026-03-03', waiting: 1, decided: 0, decidedByMe: 0, expired: 0 },
      { day: '2026-03-04', waiting: 0, decided: 2, decidedByMe: 1, expired: 0 },
      { day: '2026-03-05', waiting: 1, decided: 0, decidedByMe: 0, expired: 0 },
    ]);
  });

  it('a decision that was taken back counts as none: the run waited on', () => {
    const count = counter();
    const events = [
      event(local(4, 9), 'taken_in'),
      decided(local(4, 10), 'Ada', [{}]),
      event(local(4, 10, 1), 'decision_withdrawn', 'Ada'),
    ];
    count.add(events, ['send'], true);
    const { days, tools, myPace } = count.result();
    expect(days.map(({ waiting }) => waiting)).toEqual([0, 1, 1]);
    expect(tools).toEqual([]);
    expect(myPace.decisions).toBe(0);
  });

  it('what never waited for a person is in no count', () => {
    const count = counter();
    count.add([event(local(4, 9), 'taken_in')], [], false);
    expect(count.result().days.map(({ waiting }) => waiting)).toEqual([0, 0, 0]);
  });

  it('what a rule decided counts for its tool, and is nobody’s own pace or time', () => {
    const count = counter();
    const ruled = decided(local(4, 10), 'Ada', [{}]);
    count.add(
      [event(local(4, 9), 'taken_in'), { ...ruled, facts: { ...ruled.facts, rules: [{ id: 'x', name: 'r' }] } }],
      ['send'],
      true,
    );
    const { tools, myPace, days, toDecision } = count.result();
    expect(tools).toMatchObject([{ tool: 'send', approved: 1, byRule: 1 }]);
    expect(myPace.decisions).toBe(0);
    expect(days.map((day) => [day.decided, day.decidedByMe])).toContainEqual([1, 0]);
    expect(toDecision.medianSeconds).toBeNull();
  });

  it('verdicts by tool and class, the most decided first', () => {
    const count = counter();
    const verdicts: Partial<Verdict>[] = [{ editedArguments: '{}' }, { verdict: 'reject' }, { verdict: 'answer' }];
    count.add([event(local(4, 9), 'taken_in'), decided(local(4, 10), 'Ada', verdicts)], [], true);
    count.add([event(local(4, 9), 'taken_in'), decided(local(4, 10), 'Ada', [{}], ['wipe'])], [], true);
    const none = { approved: 0, edited: 0, rejected: 0, answered: 0, byRule: 0 };
    expect(count.result().tools).toEqual([
      { ...none, tool: 'wipe', effect: 'destructive', approved: 1, rejected: 1 },
      { ...none, tool: 'look', effect: 'changes', answered: 1 },
      { ...none, tool: 'send', effect: 'changes', edited: 1 },
    ]);
  });

  it('expired undecided, once a tool and run', () => {
    const count = counter();
    count.add([event(local(3, 9), 'taken_in'), event(local(5, 9), 'expired')], ['send', 'send', 'wipe'], true);
    const { expired, days } = count.result();
    expect(expired).toEqual([
      { tool: 'send', runs: 1 },
      { tool: 'wipe', runs: 1 },
    ]);
    expect(days.at(-1)?.expired).toBe(1);
  });

  it('times to a decision: a bound belongs to its bucket, and the last bucket has none', () => {
    const count = counter();
    for (const minutes of [1, 2, 6 * 24 * 60]) {
      const to = new Date(new Date(2026, 2, 3, 9).getTime() + minutes * 60_000).toISOString();
      count.add([event(local(3, 9), 'taken_in'), decided(to, 'Bob', [{}])], [], true);
    }
    const { toDecision } = count.result();
    expect(toDecision.buckets.map(({ runs }) => runs)).toEqual([1, 1, 0, 0, 0, 0, 1]);
    expect(toDecision.buckets.map(({ upTo }) => upTo)).toEqual([...BOUNDS, null]);
    expect(toDecision.medianSeconds).toBe(120);
  });

  it('own pace: from one decision to the next, a pause of more than half an hour apart', () => {
    const count = counter();
    for (const minute of [0, 1, 3, 59]) count.add([decided(local(4, 10, minute), 'Ada', [{}])], [], true);
    count.add([decided(local(4, 10, 2), 'Bob', [{}])], [], true);
    expect(count.result().myPace).toEqual({ decisions: 4, medianSeconds: 90 });
    expect(counter().result().myPace).toEqual({ decisions: 0, medianSeconds: null });
  });
});
