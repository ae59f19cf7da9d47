import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeBridge, type FakeBridge } from './fake-bridge.js';
import { confirmInControl, openCard, openPage, type Page, pass, submitted } from './page.js';
import { makeCall, makeDetail } from './samples.js';

const PROPOSED =
  '{"table":"events","where":{"age_days":{"gt":90},"archived":true},"limit":500,"dry_run":false,"tag":null,"code":"007","ratio":1.0,"note":"true","id":2512292042121000001}';
let bridge: FakeBridge;
let page: Page;
const field = (): HTMLTextAreaElement => screen.getByTestId('edit-text');
const bar = () => screen.getByTestId('decision-bar');

async function edit(change: (text: string) => string): Promise<void> {
  await page.user.keyboard('e');
  fireEvent.change(field(), { target: { value: change(field().value) } });
}

beforeEach(async () => {
  bridge = createFakeBridge([makeDetail('x', [makeCall(PROPOSED, { name: 'delete_records' })])]);
  page = await openPage(bridge);
  await openCard(page, 'x');
});

afterEach(() => {
  vi.useRealTimers();
});

describe('C20: an edit keeps types and everything else', () => {
  it('editing one value leaves every other token as written', async () => {
    await edit((text) => text.replace('"events"', '"events_2024"'));
    await page.user.click(screen.getByTestId('edit-keep'));
    pass(400);
    await page.user.keyboard('a');
    await confirmInControl(page);
    await waitFor(() => expect(submitted(bridge)).toHaveLength(1));
    const [{ verdicts }] = submitted(bridge) as [{ verdicts: { editedArguments: string }[] }];
    const text = verdicts[0]?.editedArguments ?? '';
    expect(text.replace(/\s+/g, '')).toBe(PROPOSED.replace('"events"', '"events_2024"'));
  });

  it('a number does not become text: refused before it can be kept, with the path', async () => {
    await edit((text) => text.replace('500', '"500"'));
    expect(screen.getByTestId('edit-fault').textContent).toMatch(/limit was .*number and is now .*string/);
    expect((screen.getByTestId('edit-keep') as HTMLButtonElement).disabled).toBe(true);
  });

  it('a change of type that is confirmed is kept, named, and proposed as such', async () => {
    await edit((text) => text.replace('500', '"500"'));
    expect(screen.getByTestId('type-changes').textContent).toContain('limit: number → string');
    await page.user.click(screen.getByRole('checkbox', { name: /of the other type/ }));
    await page.user.click(screen.getByTestId('edit-keep'));
    pass(400);
    await page.user.keyboard('a');
    expect(bridge.proposed).toMatchObject({
      submission: { verdicts: [{ typesChanged: ['limit: number → string'] }] },
    });
  });

  it('what was confirmed does not cover a later change of type', async () => {
    await edit((text) => text.replace('500', '"500"'));
    await page.user.click(screen.getByRole('checkbox', { name: /of the other type/ }));
    fireEvent.change(field(), { target: { value: field().value.replace('false', '"false"') } });
    expect(screen.getByTestId('type-changes').textContent).toContain('dry_run: boolean → string');
    expect((screen.getByTestId('edit-keep') as HTMLButtonElement).disabled).toBe(true);
  });

  it('a parse error is shown before the submit, with its place', async () => {
    await edit((text) => text.replace('"events",', '"events"'));
    expect(screen.getByTestId('edit-fault').textContent).toMatch(/not valid JSON: line 3/);
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    expect(field()).toBeTruthy();
  });

  it('proposed → effective is shown before it is approved, and approving says that it is edited', async () => {
    await edit((text) => text.replace('500', '5'));
    await page.user.click(screen.getByTestId('edit-keep'));
    const diff = screen.getByTestId('edit-diff');
    expect([...diff.querySelectorAll('.del')].map((line) => line.textContent)).toEqual([
      expect.stringContaining('"limit": 500'),
    ]);
    expect([...diff.querySelectorAll('.add')].map((line) => line.textContent)).toEqual([
      expect.stringContaining('"limit": 5'),
    ]);
    pass(400);
    await page.user.keyboard('a');
    // Main is told the edit, holds it, and shows it in the approve control as it will be sent.
    expect(bridge.proposed).toMatchObject({
      submission: { verdicts: [{ editedArguments: expect.stringContaining('"limit": 5') }] },
    });
  });

  it('keeping it unchanged is no edit', async () => {
    await page.user.keyboard('e');
    await page.user.click(screen.getByTestId('edit-keep'));
    pass(400);
    await page.user.keyboard('a');
    await confirmInControl(page);
    await waitFor(() => expect(submitted(bridge)).toHaveLength(1));
    expect(JSON.stringify(submitted(bridge))).not.toContain('editedArguments');
  });

  it('an edit is other content: what was armed before it is not armed', async () => {
    await page.user.keyboard('a');
    await edit((text) => text.replace('500', '5'));
    await page.user.click(screen.getByTestId('edit-keep'));
    expect(bar().dataset['mode']).toBe('idle');
    await page.user.keyboard('a');
    expect(bar().dataset['mode']).toBe('idle');
  });
});

describe('drafts', () => {
  it('a reason is saved while it is typed, and is there again after a restart', async () => {
    await page.user.keyboard('r');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    fireEvent.change(screen.getByTestId('reject-reason'), { target: { value: 'Wrong tab' } });
    fireEvent.change(screen.getByTestId('reject-reason'), { target: { value: 'Wrong table' } });
    expect(bridge.argsOf('run:draft')).toEqual([]);
    vi.advanceTimersByTime(300);
    vi.useRealTimers();
    expect(bridge.argsOf('run:draft')).toEqual([['x', 0, { reason: 'Wrong table' }]]);

    const again = makeCall(PROPOSED, { name: 'delete_records', change: { draft: { reason: 'Wrong table' } } });
    bridge = createFakeBridge([makeDetail('x', [again])]);
    page = await openPage(bridge);
    await openCard(page, 'x');
    await page.user.keyboard('r');
    expect((screen.getByTestId('reject-reason') as HTMLTextAreaElement).value).toBe('Wrong table');
  });

  it('a reason given often stands in the field at one press, to be changed or sent; nothing is decided by it', async () => {
    await page.user.keyboard('r');
    const [preset = ''] = bridge.settings.rejectReasons;
    await page.user.click(screen.getByRole('button', { name: preset }));
    const field = screen.getByTestId('reject-reason') as HTMLTextAreaElement;
    expect(field.value).toBe(preset);
    expect(document.activeElement).toBe(field);
    expect(submitted(bridge)).toEqual([]);
    await page.user.type(field, ' Today.');
    expect(field.value).toBe(`${preset} Today.`);
  });

  it('a note on approve is kept with the decision', async () => {
    await page.user.click(screen.getByRole('button', { name: 'Note' }));
    fireEvent.change(screen.getByTestId('note'), { target: { value: 'Checked with Grace' } });
    await openCard(page, 'x');
    await page.user.keyboard('a');
    await confirmInControl(page);
    await waitFor(() => expect(submitted(bridge)).toHaveLength(1));
    expect(submitted(bridge)[0]).toMatchObject({ verdicts: [{ note: 'Checked with Grace' }] });
  });
});

describe('the schema of the tool server', () => {
  const fault = { path: 'limit', text: '5000 is greater than 1000' };
  beforeEach(async () => {
    const call = makeCall('{"limit":5}', { name: 'delete_records', change: { hasSchema: true } });
    bridge.put(makeDetail('y', [call]));
    bridge.answer('edit:check', (_id, _index, text) => ({ ok: true, value: text.includes('5000') ? [fault] : [] }));
    await page.user.keyboard('.');
    await openCard(page, 'y');
  });

  it('an edit that breaks it is said with its place, and is not kept', async () => {
    await edit((text) => text.replace('5', '5000'));
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() =>
      expect(screen.getByTestId('schema-faults').textContent).toBe('limit: 5000 is greater than 1000'),
    );
    expect(field()).toBeTruthy();
    expect((screen.getByTestId('edit-keep') as HTMLButtonElement).disabled).toBe(true);
  });

  it('is asked while typing, without an attempt to keep', async () => {
    await edit((text) => text.replace('5', '5000'));
    await waitFor(() => expect(screen.getByTestId('schema-faults')).toBeTruthy());
  });

  it('one that fits is kept', async () => {
    await edit((text) => text.replace('5', '50'));
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(screen.queryByTestId('edit-text')).toBeNull());
    expect(screen.getByTestId('edit-diff').textContent).toContain('50');
  });
});
