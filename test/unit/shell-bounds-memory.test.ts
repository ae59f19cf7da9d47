import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { recallWindow, rememberWindow } from '../../electron/shell/bounds-memory.js';

let home = '';
const log = vi.fn<(text: string) => void>();
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'holdpoint-window-'));
  log.mockClear();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const bounds = { x: 1, y: 2, width: 800, height: 600 };

it('recalls what it remembered, and leaves no other file', () => {
  rememberWindow(join(home, 'window.json'), bounds, true, log);
  rememberWindow(join(home, 'window.json'), { ...bounds, x: 9 }, true, log);
  expect(recallWindow(join(home, 'window.json'))).toEqual({ ...bounds, x: 9, maximized: true });
  expect(readdirSync(home)).toEqual(['window.json']);
});

it.each(['', '{', 'null', '{"x":1}', '{"x":1,"y":2,"width":-5,"height":600,"maximized":false}', '[]'])(
  'starts without a place when the file holds %j',
  (text) => {
    writeFileSync(join(home, 'window.json'), text);
    expect(recallWindow(join(home, 'window.json'))).toBeNull();
  },
);

it('tells the log when it cannot be saved, and throws nothing', () => {
  mkdirSync(join(home, 'window.json.tmp'));
  rememberWindow(join(home, 'window.json'), bounds, false, log);
  expect(log).toHaveBeenCalledOnce();
  expect(recallWindow(join(home, 'window.json'))).toBeNull();
});
