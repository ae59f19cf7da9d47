import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = ['electron', 'renderer', 'shared'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.([cm]?js|tsx?)$/.test(file))
    .map((file) => join(folder, file)),
);

/** Files whose text holds these words. */
const using = (words: RegExp): string[] => sources.filter((file) => words.test(readFileSync(join(root, file), 'utf8')));

it.each([
  ['opens an address outside', /\bshell\.open(External|Path)\b/, ['electron/shell/desktop.ts']],
  ['speaks to the main process', /\bipcRenderer\b/, ['electron/bridge.ts']],
  ['answers the page', /\bipcMain\b/, ['electron/ipc.ts']],
  ['sends to the page', /\bwebContents\.send\b/, ['electron/ipc.ts']],
  ['makes a window', /\bnew BrowserWindow\b/, ['electron/shell/main-window.ts']],
  ['runs a text as script', /\bexecuteJavaScript\b|\beval\(|new Function\(/, []],
  ['writes markup as text', /\bdangerouslySetInnerHTML\b|\.(inner|outer)HTML\b/, []],
])('one place %s', (_what, words, files) => {
  expect(using(words)).toEqual(files);
});
