import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { useDecision } from '../../renderer/decision/decision-store.js';
import { flushDrafts } from '../../renderer/decision/save-draft.js';
import { accepted, refused } from '../../shared/refusal.js';
import { createFakeBridge, type FakeBridge } from './fake-bridge.js';
import { openCard, openPage, type Page, pass, submitted } from './page.js';
import { makeCall, makeDetail, sha } from './samples.js';

const search = makeCall('{"query":"x"}', { name: 'external_search', change: { needs: 'result' } });
const TEXT = 'first\nsecond\u200b';
const file = { name: 'find\u202eings.txt', size: 15, sha256: sha(TEXT), text: TEXT };

let bridge: FakeBridge;
let page: Page;

async function open(call = search): Promise<void> {
  bridge = createFakeBridge([makeDetail('run', [call])]);
  bridge.answer('answer:pick', () => accepted(file));
  bridge.answer('answer:bytes', () => accepted(file));
  page = await openPage(bridge);
  await openCard(page, 'run');
  await page.user.keyboard('a');
  pass(400);
}
const form = () => screen.getByTestId('answer-form');
const drop = (...files: File[]) =>
  fireEvent.drop(form(), { dataTransfer: { files, items: files.map(() => ({ kind: 'file' })) } });
const withBytes = (name: string, size: number): File =>
  ({ name, size, arrayBuffer: async () => new ArrayBuffer(size) }) as File;

describe('S12 a result that is attached', () => {
  beforeEach(() => open());

  it('shows its name with marks, its size, its digest and the whole text, before it is sent as it is', async () => {
    await page.user.click(screen.getByTestId('attach'));
    const shown = await screen.findByTestId('attached');
    expect(shown.querySelector('strong .mark')?.textContent).toContain('202E');
    expect(shown.textContent).toContain('15 bytes, 2 lines');
    expect(shown.querySelector('.digest')?.getAttribute('title')).toBe(sha(TEXT));
    expect([...shown.querySelectorAll('.text-row')].map((row) => row.textContent)).toEqual([
      '1first',
      expect.stringContaining('200B'),
    ]);
    expect(screen.queryByTestId('answer-text')).toBeNull();
    await page.user.click(screen.getByRole('radio', { name: 'Completed' }));
    pass(400);
    await page.user.click(screen.getByTestId('answer-confirm'));
    expect(submitted(bridge)[0]).toMatchObject({ verdicts: [{ answer: { status: 'completed', text: TEXT } }] });
  });

  it('C97: a file that arrives restarts the grace time: nothing is sent that was not on screen', async () => {
    await page.user.click(screen.getByRole('radio', { name: 'Completed' }));
    pass(400);
    await page.user.click(screen.getByTestId('attach'));
    await screen.findByTestId('attached');
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    expect(submitted(bridge)).toEqual([]);
    pass(400);
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    expect(submitted(bridge)).toHaveLength(1);
  });

  it('what was typed is there again when the file is taken away', async () => {
    await page.user.type(screen.getByTestId('answer-text'), 'typed');
    await page.user.click(screen.getByTestId('attach'));
    await screen.findByTestId('attached');
    await page.user.click(screen.getByTestId('take-away'));
    expect((screen.getByTestId('answer-text') as HTMLTextAreaElement).value).toBe('typed');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('answer-text')));
  });

  it('a refusal is said in the form, and what was there stays', async () => {
    await page.user.type(screen.getByTestId('answer-text'), 'typed');
    bridge.answer('answer:pick', () => refused('too_large', 'big has 9 bytes; a result has at most 8.'));
    await page.user.click(screen.getByTestId('attach'));
    expect((await screen.findByTestId('attach-refused')).textContent).toContain('big has 9 bytes');
    expect((screen.getByTestId('answer-text') as HTMLTextAreaElement).value).toBe('typed');
    bridge.answer('answer:pick', () => accepted(null));
    await page.user.click(screen.getByTestId('attach'));
    await waitFor(() => expect(screen.queryByTestId('attach-refused')).toBeNull());
  });

  it('a file dropped on the form is its result, and no record to take in', async () => {
    drop(withBytes('findings.txt', 3));
    await screen.findByTestId('attached');
    const [name, bytes] = bridge.argsOf('answer:bytes')[0] ?? [];
    expect([name, (bytes as Uint8Array).length]).toEqual(['findings.txt', 3]);
    expect(bridge.argsOf('intake:bytes')).toEqual([]);
  });

  it('several files, none, and one that is too large are refused before anything is sent', async () => {
    for (const [files, words] of [
      [[withBytes('a', 1), withBytes('b', 1)], 'Drop one'],
      [[], 'holds no file'],
      [[withBytes('large', 2_000_000)], 'large has 2000000 bytes'],
    ] as const) {
      drop(...files);
      await waitFor(() => expect(screen.getByTestId('attach-refused').textContent).toContain(words));
    }
    expect(bridge.argsOf('answer:bytes')).toEqual([]);
  });

  it('typed or attached, it is saved, and is there again after a restart, without a verdict', async () => {
    await page.user.click(screen.getByRole('radio', { name: 'Failed' }));
    await page.user.type(screen.getByTestId('answer-text'), 'typed');
    await page.user.click(screen.getByTestId('attach'));
    await screen.findByTestId('attached');
    await act(() => flushDrafts());
    const saved = { status: 'failed' as const, text: 'typed', file };
    expect(bridge.argsOf('run:draft').at(-1)).toEqual(['run', 0, { answer: saved }]);
    await open({ ...search, draft: { answer: saved } });
    expect((screen.getByRole('radio', { name: 'Failed' }) as HTMLInputElement).checked).toBe(true);
    expect(screen.getByTestId('attached').textContent).toContain('first');
    await page.user.click(screen.getByTestId('take-away'));
    expect((screen.getByTestId('answer-text') as HTMLTextAreaElement).value).toBe('typed');
    expect(submitted(bridge)).toEqual([]);
  });
});

describe('a result that changes after it was marked', () => {
  it('is marked anew: the mark was for what was there', async () => {
    const two = [makeCall('{"a":1}', { name: 'other' }), { ...search, index: 1 }];
    bridge = createFakeBridge([makeDetail('run', two)]);
    page = await openPage(bridge);
    await openCard(page, 'run');
    await page.user.keyboard(']');
    pass(400);
    await page.user.keyboard('a');
    pass(400);
    await page.user.click(screen.getByRole('radio', { name: 'Completed' }));
    pass(400);
    await page.user.click(screen.getByTestId('answer-confirm'));
    const verdict = () => Object.values(useDecision.getState().drafts['run'] ?? {}).map((draft) => draft.verdict);
    expect(verdict()).toEqual(['answer']);
    act(() => screen.getByTestId('card').focus());
    pass(400);
    await page.user.keyboard('a');
    await page.user.type(screen.getByTestId('answer-text'), 'more');
    expect(verdict()).toEqual([null]);
  });
});
