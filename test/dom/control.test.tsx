import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Control } from '../../renderer/approve/Control.js';
import '../../renderer/approve/bridge.js';
import { useApprove } from '../../renderer/approve/store.js';
import { initialGuard, windowFocused } from '../../renderer/decision/guard.js';
import { useGuard } from '../../renderer/decision/guard-store.js';
import type { ApproveBridge, ApproveState, Release, ReleaseCall } from '../../shared/approve.js';
import { accepted, refused } from '../../shared/refusal.js';
import { sha } from './samples.js';

const MAIL = '{"to":"ops@example.com","subject":"Report"}';
let clock = 10_000;
const pass = (ms: number): void => {
  clock += ms;
};

/** What the browser says of each part: covered, cut off, or whole. */
let seen: (part: Element) => { isVisible: boolean; intersectionRatio: number };
let observers: Watch[] = [];
const options: object[] = [];
class Watch {
  readonly parts = new Set<Element>();
  readonly tell: (entries: object[]) => void;
  constructor(tell: (entries: object[]) => void, given: object) {
    this.tell = tell;
    options.push(given);
    observers.push(this);
  }
  observe(part: Element): void {
    this.parts.add(part);
    queueMicrotask(() => this.look());
  }
  disconnect(): void {
    observers = observers.filter((one) => one !== this);
  }
  look(): void {
    if (observers.includes(this)) this.tell([...this.parts].map((target) => ({ target, ...seen(target) })));
  }
}
const lookAgain = (): void => act(() => observers.forEach((one) => void one.look()));

const call = (change: Partial<ReleaseCall> = {}): ReleaseCall => {
  const text = change.text ?? MAIL;
  return {
    index: 0,
    name: 'send_email',
    facts: { known: true, effect: 'changes', repeatable: false, noReview: false, raisedByClaim: false },
    server: null,
    sentAs: 'as_written',
    proposedSha256: sha(text),
    effectiveSha256: sha(text),
    edited: false,
    text,
    length: text.length,
    ...change,
  };
};
const release = (change: Partial<Release> = {}): Release => ({
  id: 's:mail',
  act: 'decide',
  source: 'local',
  system: 'klieo',
  runId: 'R1',
  step: 2,
  route: 'here',
  effect: 'changes',
  calls: [call()],
  others: [],
  retry: null,
  unread: [],
  ...change,
});

const asked: unknown[][] = [];
let state: ApproveState;
let confirmed: () => ReturnType<typeof accepted<null>> | ReturnType<typeof refused>;
let changed: () => void;
const bridge = {
  invoke: async (channel: string, ...args: unknown[]) => {
    asked.push([channel, ...args]);
    if (channel === 'approve:view') return accepted(structuredClone(state));
    return channel === 'approve:confirm' ? confirmed() : accepted(null);
  },
  on: (_channel: string, listener: () => void) => {
    changed = listener;
    return () => undefined;
  },
} as unknown as ApproveBridge;

const control = () => screen.getByTestId('control');
const why = () => screen.getByTestId('control-why').textContent;
const confirms = () => asked.filter(([channel]) => channel === 'approve:confirm');
const offering = (change: Partial<Release> = {}, seal = 'seal-1'): ApproveState => ({
  theme: 'dark',
  singleKeys: true,
  keys: {},
  offered: { offer: 'offer-1', seal, release: release(change) },
});

/** The control with this on it, seen, with the keyboard, and the grace time over. */
async function show(next: ApproveState, settled = true): Promise<void> {
  state = next;
  render(<Control />);
  await waitFor(() => expect(useApprove.getState().verified).toBe(next.offered?.seal));
  await act(async () => undefined);
  if (settled) pass(400);
}
/** Main says that something changed, and what it is now. */
async function becomes(next: ApproveState): Promise<void> {
  state = next;
  await act(async () => changed());
  await waitFor(() => expect(useApprove.getState().verified).toBe(next.offered?.seal));
}
const press = (key: string, more: object = {}): void => {
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
};

beforeEach(() => {
  cleanup();
  asked.length = 0;
  observers = [];
  seen = () => ({ isVisible: true, intersectionRatio: 1 });
  confirmed = () => accepted(null);
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  vi.stubGlobal('IntersectionObserver', Watch);
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  window.holdpointApprove = bridge;
  useApprove.setState(useApprove.getInitialState(), true);
  window.dispatchEvent(new Event('focus'));
  useGuard.setState({ guard: windowFocused(initialGuard, 0), ready: false });
});

describe('what it shows', () => {
  it('tool, target, class, digest and short arguments, in the theme of the window', async () => {
    await show(offering());
    for (const text of ['send_email', 'ops@example.com', 'Changes something', sha(MAIL).slice(0, 12), 'R1'])
      expect(control().textContent).toContain(text);
    expect(screen.getByTestId('control-text').textContent).toBe(MAIL);
    expect(document.documentElement.dataset['theme']).toBe('dark');
    expect(control().getAttribute('aria-label')).toContain('send send_email');
  });

  it('hidden characters are marks here too', async () => {
    const text = '{"to":"a\u202eb"}';
    await show(offering({ calls: [call({ text, name: 'send\u200b_email' })] }));
    expect(control().textContent).toContain('U+202E');
    expect(control().textContent).toContain('U+200B');
  });

  it('long arguments by size and digest', async () => {
    const text = JSON.stringify({ to: 'a@example.com', body: 'x'.repeat(2000) });
    await show(offering({ calls: [call({ text })] }));
    expect(screen.getByTestId('control-text').textContent).toMatch(/^2,0\d\d characters/);
    expect(control().textContent).toContain('a@example.com');
  });

  it('the dangerous class has another layout and says so', async () => {
    await show(offering({ effect: 'destructive', calls: [call({ name: 'delete_file' })] }));
    expect(control().className).toContain('dangerous');
    expect(control().textContent).toContain('This destroys or overwrites');
    expect(screen.getByTestId('approve-confirm').textContent).toContain('Yes, rundelete_file');
  });
});

describe('changed since you looked', () => {
  it('what became another thing is told, old and new, and stays until another proposal comes', async () => {
    await show(offering());
    expect(screen.queryByTestId('fact-changes')).toBeNull();
    const facts = { ...call().facts, effect: 'destructive' } as const;
    await becomes(offering({ calls: [call({ facts })], effect: 'destructive', route: 'handed_over' }, 'seal-2'));
    const told = () => [...screen.getByTestId('fact-changes').querySelectorAll('li')].map((li) => li.textContent);
    const lines = [
      expect.stringMatching(/goes on:.*Continues here.*Handed over/),
      expect.stringMatching(/Call 1:.*effect class:.*Changes something.*Destructive/),
    ];
    expect(told()).toEqual(lines);
    // The same reading again changes nothing.
    await becomes(offering({ calls: [call({ facts })], effect: 'destructive', route: 'handed_over' }, 'seal-2'));
    expect(told()).toEqual(lines);
    const other = offering({}, 'seal-3');
    if (other.offered) other.offered.offer = 'offer-2';
    await becomes(other);
    expect(screen.queryByTestId('fact-changes')).toBeNull();
  });

  it('a call that came or went', async () => {
    await show(offering({ calls: [call(), call({ index: 1, name: 'wipe' })] }));
    await becomes(offering({ calls: [call(), call({ index: 2, name: 'other' })] }, 'seal-2'));
    const [gone, came] = screen.getByTestId('fact-changes').querySelectorAll('li');
    expect(gone?.textContent).toMatch(/Call 2:.*wipe.*not there/);
    expect(came?.textContent).toMatch(/Call 3:.*not there.*other/);
  });
});

describe('anti-slip, in the control', () => {
  it('A confirms once, for exactly what it showed', async () => {
    await show(offering());
    press('a');
    press('a');
    await waitFor(() => expect(confirms()).toEqual([['approve:confirm', 'offer-1', 'seal-1', 1]]));
  });

  it.each([
    ['Enter', {}],
    ['Enter', { ctrlKey: true }],
  ])('%s %j confirms', async (key, more) => {
    await show(offering());
    // The first key of the chord is not typing.
    press('Control');
    press(key, more);
    await waitFor(() => expect(confirms()).toHaveLength(1));
  });

  it('H20 keys and clicks are dead for 350 ms after it got the keyboard', async () => {
    await show(offering(), false);
    act(() => void window.dispatchEvent(new Event('focus')));
    pass(349);
    press('a');
    fireEvent.click(screen.getByTestId('approve-confirm'), { detail: 1 });
    expect(confirms()).toEqual([]);
    pass(1);
    press('a');
    await waitFor(() => expect(confirms()).toHaveLength(1));
  });

  it('dead without the keyboard; the click that brings it is only that', async () => {
    await show(offering());
    act(() => void window.dispatchEvent(new Event('blur')));
    press('a');
    fireEvent.pointerDown(screen.getByTestId('approve-confirm'));
    act(() => void window.dispatchEvent(new Event('focus')));
    pass(5_000);
    fireEvent.click(screen.getByTestId('approve-confirm'), { detail: 1 });
    expect(confirms()).toEqual([]);
  });

  it('key repeat and input methods confirm nothing, and begin the grace time anew', async () => {
    await show(offering());
    for (let i = 0; i < 5; i++) press('a', { repeat: true });
    press('a');
    expect(confirms()).toEqual([]);
    pass(400);
    press('a', { isComposing: true });
    press('a');
    expect(confirms()).toEqual([]);
    pass(400);
    press('a');
    await waitFor(() => expect(confirms()).toHaveLength(1));
  });

  it('somebody who types something else never ends up confirming', async () => {
    await show(offering());
    for (const key of 'data base a') {
      press(key === ' ' ? 'x' : key, {});
      pass(120);
      if (key === 'd') expect(confirms()).toEqual([]);
    }
    expect(confirms()).toEqual([]);
  });

  it('the group has the keyboard, not a button; the second click of a double click does nothing', async () => {
    await show(offering());
    expect(document.activeElement).toBe(control());
    fireEvent.click(screen.getByTestId('approve-confirm'), { detail: 2 });
    expect(confirms()).toEqual([]);
  });

  it('Escape leaves; a key that moves leaves with its meaning; neither confirms', async () => {
    await show(offering());
    press('Escape');
    press('j');
    await waitFor(() =>
      expect(asked.filter(([channel]) => channel === 'approve:leave')).toEqual([
        ['approve:leave', 'offer-1', null],
        ['approve:leave', 'offer-1', 'down'],
      ]),
    );
    expect(confirms()).toEqual([]);
  });

  it('R7 a turn that may have run has no key: only its button', async () => {
    const retry = { turn: 2, warning: 'may happen twice' };
    await show(offering({ act: 'retry_turn', effect: 'destructive', calls: [], retry }));
    expect(control().textContent).toContain('Turn 2 may have run already. may happen twice');
    for (const key of ['a', 'Enter']) press(key);
    expect(confirms()).toEqual([]);
    pass(400);
    fireEvent.pointerDown(screen.getByTestId('approve-confirm'));
    fireEvent.click(screen.getByTestId('approve-confirm'), { detail: 1 });
    await waitFor(() => expect(confirms()).toHaveLength(1));
  });

  it('single keys that are switched off are off here too; Enter stays', async () => {
    await show({ ...offering(), singleKeys: false });
    press('a');
    expect(confirms()).toEqual([]);
    pass(400);
    press('Enter');
    await waitFor(() => expect(confirms()).toHaveLength(1));
  });

  it('the reviewer’s own keys count here too, and are shown', async () => {
    await show({ ...offering(), keys: { approve: ['y'] } });
    press('a');
    expect(confirms()).toEqual([]);
    expect(screen.getByTestId('approve-confirm').textContent).toContain('Y');
    pass(400);
    press('y');
    await waitFor(() => expect(confirms()).toHaveLength(1));
  });

  it('other content under the hand is dead for the grace time', async () => {
    await show(offering());
    state = offering({ calls: [call({ name: 'delete_file' })] }, 'seal-2');
    await act(async () => changed());
    await waitFor(() => expect(useApprove.getState().verified).toBe('seal-2'));
    press('a');
    expect(confirms()).toEqual([]);
    pass(400);
    press('a');
    await waitFor(() => expect(confirms()).toEqual([['approve:confirm', 'offer-1', 'seal-2', 1]]));
  });
});

describe('it answers only while it can be seen', () => {
  it('asks the browser for what covers it', async () => {
    await show(offering());
    expect(options.at(-1)).toMatchObject({ trackVisibility: true, delay: 100 });
  });

  it.each([
    ['covered', { isVisible: false, intersectionRatio: 1 }],
    ['cut off', { isVisible: true, intersectionRatio: 0.6 }],
  ])('%s: off, with the reason, and the grace time begins anew afterwards', async (_name, sight) => {
    await show(offering());
    seen = (part) => (part.className === 'buttons' ? sight : { isVisible: true, intersectionRatio: 1 });
    lookAgain();
    expect(why()).toContain('covered, cut off');
    pass(400);
    press('a');
    expect(confirms()).toEqual([]);
    seen = () => ({ isVisible: true, intersectionRatio: 1 });
    lookAgain();
    press('a');
    expect(confirms()).toEqual([]);
    pass(400);
    press('a');
    await waitFor(() => expect(confirms()).toHaveLength(1));
  });

  it('a frame that is not drawn any more gets no fresh word, and confirms nothing', async () => {
    await show(offering());
    // The observers fall silent, with what they said last.
    vi.spyOn(Watch.prototype, 'look').mockImplementation(() => undefined);
    press('a');
    await waitFor(() => expect(why()).toContain('covered, cut off'), { timeout: 2_000 });
    expect(confirms()).toEqual([]);
    vi.restoreAllMocks();
  });

  it('a browser that cannot tell counts as covered', async () => {
    seen = () => ({ intersectionRatio: 1 }) as never;
    await show(offering());
    expect(why()).toContain('covered');
  });

  it('each call of a batch must have been on screen', async () => {
    const calls = [0, 1, 2].map((index) => call({ index, name: `tool_${index}` }));
    seen = (part) => ({ isVisible: !part.textContent?.includes('tool_2'), intersectionRatio: 1 });
    await show(offering({ calls }));
    expect(why()).toContain('1 call of the list not seen yet');
    press('a');
    expect(confirms()).toEqual([]);
    seen = () => ({ isVisible: true, intersectionRatio: 1 });
    lookAgain();
    pass(400);
    press('a');
    await waitFor(() => expect(confirms()).toHaveLength(1));
  });
});

describe('it answers only for what it knows', () => {
  it('its own digest of the text must be the one that main says', async () => {
    state = offering({ calls: [call({ effectiveSha256: sha('something else') })] });
    render(<Control />);
    await waitFor(() => expect(why()).toContain('not those whose digest'));
    pass(400);
    press('a');
    expect(confirms()).toEqual([]);
  });

  it('the digest that the page says is on screen must be that of the text', async () => {
    state = offering({ calls: [call({ proposedSha256: sha('what the page shows') })] });
    render(<Control />);
    await waitFor(() => expect(why()).toContain('not those whose digest'));
    pass(400);
    press('a');
    expect(confirms()).toEqual([]);
  });

  it('I12 says what is left to be read, and stays off', async () => {
    await show(offering({ unread: [{ index: 0, fields: ['subject', null] }] }));
    expect(why()).toContain('“subject”');
    expect(why()).toContain('the arguments of call 1');
    press('a');
    expect(confirms()).toEqual([]);
  });

  it('what main refuses is said', async () => {
    confirmed = () => refused('not_allowed', 'The approve control is shown too small to be read.');
    await show(offering());
    press('a');
    await waitFor(() => expect(why()).toContain('too small'));
  });
});
