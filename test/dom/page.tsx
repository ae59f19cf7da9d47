import { webcrypto } from 'node:crypto';
import { act, cleanup, type RenderResult, render, screen, waitFor } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import { App } from '../../renderer/app/App.js';
import { useToasts } from '../../renderer/app/toast-store.js';
import { useUi } from '../../renderer/app/ui-store.js';
import '../../renderer/bridge.js';
import { useBulk } from '../../renderer/bulk/bulk-store.js';
import { useControl } from '../../renderer/decision/control-store.js';
import { useDecision } from '../../renderer/decision/decision-store.js';
import { initialGuard, windowFocused } from '../../renderer/decision/guard.js';
import { useGuard } from '../../renderer/decision/guard-store.js';
import { flushDrafts } from '../../renderer/decision/save-draft.js';
import { useQueue } from '../../renderer/queue/queue-store.js';
import { useRun } from '../../renderer/run/run-store.js';
import { useSettings } from '../../renderer/settings/settings-store.js';
import type { FakeBridge } from './fake-bridge.js';

/** The monotonic clock of the page under test; only `pass` moves it. */
let clock = 10_000;
export function pass(ms: number): void {
  clock += ms;
}

/** Which end marks are on screen. By default all of them, as in a window that is tall enough. */
let onScreen: (mark: Element) => boolean = () => true;
const observers = new Set<FakeObserver>();

class FakeObserver {
  private readonly seen = new Set<Element>();
  private readonly tell: (entries: { isIntersecting: boolean; target: Element }[]) => void;
  constructor(tell: (entries: { isIntersecting: boolean; target: Element }[]) => void) {
    this.tell = tell;
    observers.add(this);
  }
  observe(element: Element): void {
    this.seen.add(element);
    queueMicrotask(() => this.look());
  }
  disconnect(): void {
    observers.delete(this);
  }
  look(): void {
    if (!observers.has(this)) return;
    this.tell([...this.seen].map((target) => ({ target, isIntersecting: onScreen(target) })));
  }
}

/** Says anew which end marks are on screen. */
export function scrollTo(which: (mark: Element) => boolean): void {
  onScreen = which;
  act(() => {
    for (const observer of [...observers]) observer.look();
  });
}

export interface Page extends RenderResult {
  user: UserEvent;
  bridge: FakeBridge;
}

/** The whole page over a fake bridge, with every store as at start. */
export async function openPage(bridge: FakeBridge, options: { onScreen?: typeof onScreen } = {}): Promise<Page> {
  cleanup();
  // What the page before had still to write is written to its own bridge.
  await flushDrafts();
  onScreen = options.onScreen ?? (() => true);
  observers.clear();
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  vi.stubGlobal('IntersectionObserver', FakeObserver);
  // jsdom lays nothing out, so there is nothing to scroll.
  Element.prototype.scrollIntoView = () => undefined;
  if (!globalThis.crypto.subtle) Object.defineProperty(globalThis.crypto, 'subtle', { value: webcrypto.subtle });
  for (const store of [useUi, useBulk, useDecision, useQueue, useRun, useSettings, useToasts])
    (store as typeof useUi).setState((store as typeof useUi).getInitialState(), true);
  // The window says by an event that it has the focus, as a real one does.
  window.dispatchEvent(new Event('focus'));
  useGuard.setState({ guard: windowFocused(initialGuard, 0), ready: false });
  useControl.setState(useControl.getInitialState(), true);
  window.holdpoint = bridge;
  const rendered = render(<App />);
  await waitFor(() => {
    if (!useQueue.getState().loaded || !useSettings.getState().loaded || !useSettings.getState().health)
      throw new Error('still loading');
  });
  return { ...rendered, user: userEvent.setup({ delay: null }), bridge };
}

export function rowOf(id: string): HTMLElement {
  const row = screen.getAllByTestId('row').find((element) => element.dataset['itemId'] === id);
  if (!row) throw new Error(`no row ${id}`);
  return row;
}

export const rowIds = (): (string | undefined)[] =>
  screen.queryAllByTestId('row').map((element) => element.dataset['itemId']);

/** Selects a row by mouse, waits for its card, whole and read, and lets the grace time pass. */
export async function select(page: Page, id: string): Promise<void> {
  await page.user.click(rowOf(id));
  await waitFor(() => {
    if (screen.getByTestId('card').dataset['itemId'] !== id) throw new Error(`the card of ${id} is not there`);
    if (Object.values(useRun.getState().texts).some((text) => text.state === 'loading')) throw new Error('loading');
  });
  await act(async () => undefined);
  pass(400);
}

/** The same, with the keyboard in the card. */
export async function openCard(page: Page, id: string): Promise<void> {
  await select(page, id);
  act(() => screen.getByTestId('card').focus());
  pass(400);
}

/** What is proposed is confirmed in the approve control. Until then nothing was submitted for it. */
export async function confirmInControl({ bridge }: Page): Promise<void> {
  await waitFor(() => {
    if (bridge.proposed === null) throw new Error('nothing is proposed');
  });
  await act(() => bridge.confirm());
}

/** Everything that was proposed to the approve control so far. */
export const proposals = (bridge: FakeBridge) => bridge.argsOf('approve:offer').map(([proposal]) => proposal);

export const submitted = (bridge: FakeBridge) => bridge.argsOf('decide:submit').map(([submission]) => submission);
