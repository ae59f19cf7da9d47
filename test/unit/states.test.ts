import { describe, expect, it } from 'vitest';
import {
  CALL_STATES,
  CALL_TRANSITIONS,
  HEAD_STATE,
  isLegal,
  needsPerson,
  STATUSES,
  TRANSITIONS,
} from '../../shared/states.js';

describe('H18 the one table of states', () => {
  it('every status has its moves and its place in the shared engine, and names no other words', () => {
    expect(Object.keys(TRANSITIONS).sort()).toEqual([...STATUSES].sort());
    expect(Object.keys(HEAD_STATE).sort()).toEqual([...STATUSES].sort());
    for (const to of Object.values(TRANSITIONS).flat()) expect(STATUSES).toContain(to);
  });

  it('nothing leaves an end: expired, withdrawn, superseded, unreadable, finished, failed', () => {
    for (const end of ['expired', 'withdrawn', 'superseded', 'unreadable'] as const)
      expect(TRANSITIONS[end]).toEqual([]);
    expect(isLegal('expired', 'decided')).toBe(false);
    expect(isLegal('finished', 'resuming')).toBe(false);
  });

  it('a run that resumed never goes back to waiting, and only a person moves an unknown one', () => {
    expect(isLegal('resuming', 'waiting')).toBe(false);
    expect(isLegal('handed_over', 'waiting')).toBe(false);
    expect(needsPerson('unknown_outcome')).toBe(true);
    expect(HEAD_STATE.unknown_outcome).toBe('blocked');
  });

  it('I8 a call leaves "started" only with an outcome, and "unknown" only settled or let run again', () => {
    expect(Object.keys(CALL_TRANSITIONS).sort()).toEqual([...CALL_STATES].sort());
    expect(CALL_TRANSITIONS.started).not.toContain('not_started');
    expect([...CALL_TRANSITIONS.unknown].sort()).toEqual(['done', 'failed', 'not_started']);
    for (const end of ['done', 'failed', 'rejected', 'answered'] as const) expect(CALL_TRANSITIONS[end]).toEqual([]);
  });
});
