import { describe, expect, it } from 'vitest';
import { isQuiet, type Moment, noticeOf, spelled } from '../../electron/shell/notice.js';
import { Attention } from '../../shared/settings.js';

const settings = Attention.parse({});
const away: Moment = { settings, inFront: false, minute: 600, disturbed: false };
const run = (id: string, ...tools: string[]) => ({ id, tools });
const fresh = (...items: ReturnType<typeof run>[]) => ({ fresh: items, more: 0 });

describe('what is said while the window is not in front', () => {
  it('one new run: its tool, and a click opens exactly its card', () => {
    expect(noticeOf(fresh(run('b', 'send_email')), away)).toEqual({
      title: 'A run waits for you',
      body: 'send_email',
      item: 'b',
    });
  });

  it('several at once are one message, their tools named once, three at most', () => {
    const five = ['a', 'b', 'c', 'd', 'e'].map((id, i) => run(id, 'same', `tool${i}`));
    expect(noticeOf(fresh(...five), away)).toEqual({
      title: '5 runs wait for you',
      body: 'same, tool0, tool1 and 3 more',
      item: null,
    });
    expect(noticeOf({ fresh: five, more: 7 }, away)?.title).toBe('12 runs wait for you');
  });

  it('nothing: in front, disturbed, switched off, at a quiet time, or when nothing is new', () => {
    const now = fresh(run('a', 'x'));
    const quiet = { from: '09:00', to: '11:00' };
    expect([
      noticeOf(now, { ...away, inFront: true }),
      noticeOf(now, { ...away, disturbed: true }),
      noticeOf(now, { ...away, settings: { ...settings, notifications: false } }),
      noticeOf(now, { ...away, settings: { ...settings, quiet } }),
      noticeOf(fresh(), away),
    ]).toEqual([null, null, null, null, null]);
    expect(noticeOf(now, { ...away, minute: 660, settings: { ...settings, quiet } })).not.toBeNull();
  });

  it('a step without calls is said so', () => {
    expect(noticeOf(fresh(run('a')), away)?.body).toBe('a step without calls');
  });

  it('I10 a name writes out what nobody would see, keeps to one line and is cut', () => {
    expect(spelled('send\u202Eliame')).toMatch(/^send\[.+\]liame$/);
    expect(spelled('a\nb\tc')).toBe('a b c');
    expect([...spelled('😀'.repeat(200))]).toHaveLength(81);
  });
});

describe('a quiet time', () => {
  it('has its beginning in it and not its end, and goes over midnight', () => {
    const night = { from: '20:00', to: '07:30' };
    expect([1199, 1200, 0, 449, 450].map((minute) => isQuiet(night, minute))).toEqual([false, true, true, true, false]);
    const noon = { from: '12:00', to: '13:00' };
    expect([719, 720, 779, 780].map((minute) => isQuiet(noon, minute))).toEqual([false, true, true, false]);
    expect(isQuiet({ from: '08:00', to: '08:00' }, 5)).toBe(true);
    expect(isQuiet(null, 5)).toBe(false);
  });

  it('is two times of day, or the settings are refused', () => {
    const parse = (from: string) => Attention.safeParse({ quiet: { from, to: '07:00' } }).success;
    expect(['00:00', '23:59', '24:00', '7:00', '12:60', ''].map(parse)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
