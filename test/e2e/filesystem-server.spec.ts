import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './files-world.js';
import { klieoRecord } from './records.js';
import {
  approve,
  bar,
  confirmInControl,
  continueRun,
  edit,
  goTo,
  hasStatus,
  keepEdit,
  markApproved,
  mayApprove,
  nextCall,
  reject,
  rows,
  select,
  submit,
  toasts,
} from './reviewer.js';

const TASK = 'Put the note into the folder.';
const WORDS = 'I write the note.';

/** The conversation up to the stop, as the model gets it again. */
const before = (calls: readonly { id: string; name: string; args: string }[]) => [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: TASK },
  {
    role: 'assistant',
    content: WORDS,
    tool_calls: calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args } })),
  },
];

const write = (id: string, path: string, content: string) => ({
  id,
  name: 'write_file',
  args: JSON.stringify({ path, content }),
});

async function waitsAs(page: Page, tool: string): Promise<void> {
  await expect(rows(page)).toHaveCount(1);
  await select(page, tool);
  await hasStatus(page, 'waiting');
}

test('inbox, listed, approved by keyboard, written once, correct transcript, final answer', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  world.model.queue({ content: 'The note is in place.' });
  const { page } = await launch();
  const path = join(world.folder, 'note.txt');
  const call = write('call_note', path, 'held and released');
  publish(folders, 'run.json', klieoRecord({ task: TASK, words: WORDS, calls: [call] }));
  await waitsAs(page, 'write_file');
  await expect(page.getByTestId('arguments')).toContainText(path);
  expect(existsSync(path)).toBe(false);
  await approve(page);
  await hasStatus(page, 'finished');
  expect(readFileSync(path, 'utf8')).toBe('held and released');
  expect(world.calls()).toEqual([{ name: 'write_file', arguments: { path, content: 'held and released' } }]);
  await expect(page.getByTestId('final-answer')).toContainText('The note is in place.');

  const chats = world.chats();
  expect(chats).toHaveLength(1);
  const messages = chats[0]?.messages ?? [];
  expect(messages.slice(0, 3)).toEqual(before([call]));
  expect(messages.slice(3)).toEqual([
    { role: 'tool', tool_call_id: 'call_note', content: expect.stringContaining('Successfully wrote') },
  ]);
  expect(chats[0]?.tools.map((tool) => tool.function.name)).toContain('write_file');
  // The inbox is empty again: the record is in the store.
  expect(readdirSync(join(folders.data, 'inbox'))).toEqual([]);
});

test("rejected: nothing is written, and the model gets the reason under the call's own id", async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  world.model.queue({ content: 'Then I leave it.' });
  const { page } = await launch();
  const call = write('call_note', join(world.folder, 'note.txt'), 'never');
  publish(folders, 'run.json', klieoRecord({ task: TASK, words: WORDS, calls: [call] }));
  await waitsAs(page, 'write_file');
  await reject(page, 'wrong folder, ask Ada first');
  await hasStatus(page, 'finished');
  expect(readdirSync(world.folder)).toEqual([]);
  expect(world.calls()).toEqual([]);
  await expect(page.getByTestId('journal')).toContainText('Rejected by a person, not executed');
  await expect(page.getByTestId('final-answer')).toContainText('Then I leave it.');
  const messages = world.chats()[0]?.messages ?? [];
  expect(messages.slice(0, 3)).toEqual(before([call]));
  expect(messages.slice(3)).toEqual([
    { role: 'tool', tool_call_id: 'call_note', content: expect.stringContaining('wrong folder, ask Ada first') },
  ]);
  expect(messages[3]?.content).toMatch(/reviewer rejected/i);
});

test('a mixed batch of three: approved, rejected, edited, as one act, one answer for each call', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  world.model.queue({ content: 'Two of three.' });
  const { page } = await launch();
  const path = (name: string): string => join(world.folder, name);
  const calls = [
    write('call_a', path('a.txt'), 'first'),
    write('call_b', path('b.txt'), 'second'),
    write('call_c', path('c.txt'), 'third'),
  ];
  publish(folders, 'run.json', klieoRecord({ task: TASK, words: WORDS, calls }));
  await waitsAs(page, 'write_file ×3');
  await markApproved(page, 1);
  await nextCall(page);
  await reject(page, 'b is not needed');
  await expect(bar(page)).toContainText('2 rejected');
  await nextCall(page);
  await edit(page, JSON.stringify({ path: path('c.txt'), content: 'third, as edited' }));
  await keepEdit(page);
  await markApproved(page, 3);
  expect(world.calls()).toEqual([]);
  await submit(page);
  await hasStatus(page, 'finished');
  expect(readdirSync(world.folder).sort()).toEqual(['a.txt', 'c.txt']);
  expect(readFileSync(path('c.txt'), 'utf8')).toBe('third, as edited');
  expect(world.calls().map((sent) => sent.arguments['content'])).toEqual(['first', 'third, as edited']);
  const messages = world.chats()[0]?.messages ?? [];
  expect(messages.slice(0, 3)).toEqual(before(calls));
  expect(messages.slice(3)).toEqual([
    { role: 'tool', tool_call_id: 'call_a', content: expect.stringContaining('Successfully wrote') },
    { role: 'tool', tool_call_id: 'call_b', content: expect.stringContaining('b is not needed') },
    { role: 'tool', tool_call_id: 'call_c', content: expect.stringContaining('edited') },
  ]);
});

test('an edit: the edited arguments are sent, and the model is told', async ({ launch, folders, world }) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  const path = join(world.folder, 'note.txt');
  const call = write('call_note', path, 'as proposed');
  publish(folders, 'run.json', klieoRecord({ task: TASK, words: WORDS, calls: [call] }));
  await waitsAs(page, 'write_file');
  await edit(page, JSON.stringify({ path, content: 'as edited' }));
  await expect(page.getByTestId('edit-diff')).toContainText('as edited');
  await keepEdit(page);
  // Keeping an edit decides nothing.
  await hasStatus(page, 'waiting');
  await approve(page);
  await hasStatus(page, 'finished');
  expect(readFileSync(path, 'utf8')).toBe('as edited');
  expect(world.calls()).toHaveLength(1);
  const answer = world.chats()[0]?.messages.at(-1);
  expect(answer).toMatchObject({ role: 'tool', tool_call_id: 'call_note' });
  expect(answer?.content).toContain('edited the arguments');
  // What the model asked for stays what it asked for.
  expect(world.chats()[0]?.messages[2]).toEqual(before([call])[2]);
  // Three records: proposed, decision, effective.
  await expect(page.getByTestId('arguments')).toContainText('as proposed');
  await expect(page.getByTestId('decision').getByTestId('edit-diff')).toContainText('as edited');
});

test('no model reachable until after the decision: it stays decided, says why it waits, and goes on by itself', async ({
  launch,
  folders,
  world,
}) => {
  await world.unplug();
  writeSettings(folders, world.settings);
  const { page } = await launch();
  const path = join(world.folder, 'note.txt');
  publish(
    folders,
    'run.json',
    klieoRecord({ task: TASK, words: WORDS, calls: [write('call_note', path, 'after the outage')] }),
  );
  await waitsAs(page, 'write_file');
  await approve(page);
  await hasStatus(page, 'decided');
  const waiting = page.getByTestId('waiting-note');
  await expect(waiting).toContainText('Recorded, not executed.');
  await expect(waiting).toContainText('model');
  expect(world.calls()).toEqual([]);
  expect(existsSync(path)).toBe(false);
  await goTo(page, 'Decided');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Recorded, not executed');

  await world.plugIn();
  world.model.queue({ content: 'Back again.' });
  await hasStatus(page, 'finished', 20_000);
  await expect(page.getByTestId('final-answer')).toContainText('Back again.');
  expect(world.calls()).toHaveLength(1);
  expect(readFileSync(path, 'utf8')).toBe('after the outage');
});

test('no model reachable: Continue tries at once, refuses with the reason, and works when there is one', async ({
  launch,
  folders,
  world,
}) => {
  await world.unplug();
  writeSettings(folders, world.settings);
  const { page } = await launch();
  const path = join(world.folder, 'note.txt');
  publish(folders, 'run.json', klieoRecord({ task: TASK, words: WORDS, calls: [write('c', path, 'x')] }));
  await waitsAs(page, 'write_file');
  await approve(page);
  await expect(page.getByTestId('waiting-note')).toBeVisible();
  const again = page.getByRole('button', { name: 'Continue' });
  await again.focus();
  await page.keyboard.press('Enter');
  await confirmInControl(page);
  await expect(toasts(page).last()).toContainText(/model/i);
  await hasStatus(page, 'decided');
  await world.plugIn();
  await again.focus();
  await page.keyboard.press('Enter');
  await confirmInControl(page);
  await hasStatus(page, 'finished');
  expect(world.calls()).toHaveLength(1);
});

test('the model is lost after the calls: not continued, and continuing dispatches nothing again', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  // A server that cannot answer is asked a few times; then the run rests.
  world.model.queue(...Array.from({ length: 12 }, () => ({ status: 503 })));
  const { page } = await launch();
  const path = join(world.folder, 'note.txt');
  publish(folders, 'run.json', klieoRecord({ task: TASK, words: WORDS, calls: [write('c', path, 'once')] }));
  await waitsAs(page, 'write_file');
  await approve(page);
  await hasStatus(page, 'not_continued', 30_000);
  const written = statSync(path).mtimeMs;
  expect(world.calls()).toHaveLength(1);
  await world.unplug();
  await world.plugIn();
  world.model.queue({ content: 'Now.' });
  await continueRun(page);
  await hasStatus(page, 'finished');
  await expect(page.getByTestId('final-answer')).toContainText('Now.');
  expect(world.calls()).toHaveLength(1);
  expect(statSync(path).mtimeMs).toBe(written);
  const messages = world.chats()[0]?.messages ?? [];
  expect(messages.filter((message) => message.role === 'tool')).toHaveLength(1);
});

test('a call that the server takes as destructive by its own claim is raised, once it is known', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, {
    ...world.settings,
    tools: [{ tool: 'write_file', effect: 'read_only', repeatable: false, noReview: true }],
  });
  world.model.queue({
    content: 'One more.',
    toolCalls: [
      {
        id: 'again',
        name: 'write_file',
        arguments: JSON.stringify({ path: join(world.folder, 'b.txt'), content: 'b' }),
      },
    ],
  });
  const { page } = await launch();
  const path = join(world.folder, 'a.txt');
  publish(folders, 'run.json', klieoRecord({ task: TASK, words: WORDS, calls: [write('c', path, 'a')] }));
  await waitsAs(page, 'write_file');
  await approve(page);
  await hasStatus(page, 'finished');
  // "No review needed" in the table does not stand against what the server itself claims.
  await select(page, /b\.txt/);
  await mayApprove(page);
  await expect(page.getByTestId('verdict')).toContainText('Destructive');
  expect(world.calls()).toHaveLength(1);
  await approve(page);
  await hasStatus(page, 'finished');
  expect(world.calls()).toHaveLength(2);
});
