import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { splitPath } from '../../renderer/app/FolderPath.js';
import { note } from '../../renderer/app/toast-store.js';
import { warningLabel } from '../../renderer/text/warning-labels.js';
import { text as words } from '../../renderer/text.js';
import type { Taken } from '../../shared/ipc.js';
import { accepted } from '../../shared/refusal.js';
import { createFakeBridge } from './fake-bridge.js';
import { openCard, openPage } from './page.js';
import { makeCall, makeDetail } from './samples.js';

const mail = makeDetail('mail', [makeCall('{"to":"a"}')]);
const taken = (name: string, outcome: Taken['outcome'] = 'taken_in', text = ''): Taken => ({
  outcome,
  id: null,
  name,
  text,
});
const toasts = () => screen.queryAllByTestId('toast').map((toast) => toast.textContent?.replace('×', ''));

describe('messages', () => {
  it('what came in at once is one message, which names what was refused and why', async () => {
    const bridge = createFakeBridge([]);
    bridge.answer('samples:add', () =>
      accepted([
        taken('one-call.json', 'taken_in', 'Taken in.'),
        taken('three.json', 'taken_in', 'Taken in.'),
        taken('known.json', 'already_known', 'Already known; nothing changed.'),
        taken('says-two-things.json', 'refused', 'line 1: it says two things.'),
      ]),
    );
    const page = await openPage(bridge);
    await page.user.click(screen.getByTestId('samples'));
    await waitFor(() =>
      expect(toasts()).toEqual([
        '2 taken in; 1 already known; 1 refused: says-two-things.json, line 1: it says two things',
      ]),
    );
    expect(screen.getByTestId('toast').getAttribute('role')).toBe('alert');
  });

  it('files dropped together are one message, also those that could not be read; a crowd of refusals is counted', async () => {
    const bridge = createFakeBridge([mail]);
    bridge.answer('intake:bytes', (name) => accepted(taken(name, 'refused', 'It is no record.')));
    await openPage(bridge);
    const files = ['runs', 'a.json', 'b.json', 'c.json', 'd.json'].map((name) => new File(['x'], name));
    fireEvent.drop(document, {
      dataTransfer: { files, items: [{ webkitGetAsEntry: () => ({ isDirectory: true }) }] },
    });
    await waitFor(() => expect(toasts()).toHaveLength(1));
    expect(toasts()[0]).toBe(
      '5 refused: runs, This is a folder. Drop the record files themselves; a.json, It is no record; and 3 more',
    );
  });

  it('good news goes away by itself, a refusal stays until Escape; an armed act is left first', async () => {
    const page = await openPage(createFakeBridge([mail]));
    await openCard(page, 'mail');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    act(() => {
      note('Saved.');
      note('Refused.', 'refused');
    });
    expect(toasts()).toEqual(['Saved.', 'Refused.']);
    act(() => void vi.advanceTimersByTime(7_000));
    vi.useRealTimers();
    expect(toasts()).toEqual(['Refused.']);
    await page.user.keyboard('a{Escape}');
    expect(screen.getByTestId('decision-bar').dataset['mode']).toBe('idle');
    expect(toasts()).toEqual(['Refused.']);
    await page.user.keyboard('{Escape}');
    expect(toasts()).toEqual([]);
  });
});

describe('the data folder in the status bar', () => {
  it('is the whole real path, in order; its name carries it too', async () => {
    const bridge = createFakeBridge([mail]);
    bridge.health.dataFolder = '/tmp/hp-4711/some where/deep/d/';
    await openPage(bridge);
    const folder = screen.getByRole('img', { name: 'Data folder /tmp/hp-4711/some where/deep/d/' });
    expect(folder.textContent).toBe('/tmp/hp-4711/some where/deep/d/');
    expect(folder.getAttribute('title')).toBe('/tmp/hp-4711/some where/deep/d/');
  });

  it.each([
    ['/tmp/hp/d/', '', '/tmp/hp/d/'],
    ['/home/ada/.local/share/holdpoint', '/home/ada', '/.local/share/holdpoint'],
    ['C:\\Users\\Ada\\AppData\\Roaming\\Holdpoint', 'C:\\Users\\Ada\\AppData', '\\Roaming\\Holdpoint'],
    ['/x/a-very-long-name-of-a-folder-indeed', '/x/a-very-long', '-name-of-a-folder-indeed'],
  ])('%s is cut between names where it can be, and nothing is lost', (path, head, tail) => {
    expect(splitPath(path)).toEqual({ head, tail });
    expect(head + tail).toBe(path);
  });
});

describe('the labels of warnings', () => {
  it.each([
    ['integer_past_2_53', 'Integer past 2^53'],
    ['may_have_gone_on', 'May have gone on'],
    ['MismatchedDecisionEvidence', 'Mismatched decision evidence'],
    ['IdentityMismatch', 'Identity mismatch'],
    ['duplicate_key', 'Duplicate key'],
  ])('%s reads %s', (code, label) => {
    expect(warningLabel(code)).toBe(label);
    expect(words.warnings.code(code)).toBe(label);
  });
});
