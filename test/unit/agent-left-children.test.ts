import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { childRecords } from '../../electron/agent/left-children.js';
import { thisProcess } from '../../electron/identity.js';
import { startOf } from '../../electron/process-start.js';

let folder = '';
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-left-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A tool server that takes no notice of the end of its input, in a group of its own. */
function stubborn(): ChildProcess & { pid: number } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
  children.push(child);
  if (child.pid === undefined) throw new Error('not started');
  return Object.assign(child, { pid: child.pid });
}

/** The record of a child as a process wrote it that is gone by now. */
function orphan(pid: number, change: Record<string, unknown> = {}): void {
  childRecords(folder).note(pid);
  const path = join(folder, 'children', `${pid}.json`);
  const record = JSON.parse(readFileSync(path, 'utf8'));
  const gone = { ...thisProcess(''), pid: 2 ** 22 + 1, start: '1' };
  const { name: _name, ...owner } = gone;
  writeFileSync(path, JSON.stringify({ ...record, owner, ...change }));
}

const ended = (child: ChildProcess) => vi.waitFor(() => expect(child.signalCode).toBe('SIGKILL'), { timeout: 10_000 });

describe.runIf(process.platform === 'linux')('what a killed Holdpoint left running', () => {
  test('is ended by the next start, and its record goes', async () => {
    const child = stubborn();
    orphan(child.pid);
    expect(childRecords(folder).endLeft()).toBe(1);
    await ended(child);
    expect(readdirSync(join(folder, 'children'))).toEqual([]);
  });

  test('is left alone while the process that started it runs', () => {
    const child = stubborn();
    childRecords(folder).note(child.pid);
    expect(childRecords(folder).endLeft()).toBe(0);
    expect(startOf(child.pid)).not.toBeNull();
    expect(readdirSync(join(folder, 'children'))).toEqual([`${child.pid}.json`]);
  });

  test('a process that only got the same number is never ended', () => {
    const child = stubborn();
    orphan(child.pid, { start: '1' });
    expect(childRecords(folder).endLeft()).toBe(0);
    expect(startOf(child.pid)).not.toBeNull();
    expect(readdirSync(join(folder, 'children'))).toEqual([]);
  });

  test('nothing of another boot or another machine is ended', () => {
    const child = stubborn();
    const { name: _name, ...here } = thisProcess('');
    for (const change of [{ boot: 'another' }, { host: 'another' }]) {
      orphan(child.pid, { owner: { ...here, pid: 2 ** 22 + 1, start: '1', ...change } });
      expect(childRecords(folder).endLeft()).toBe(0);
    }
    expect(startOf(child.pid)).not.toBeNull();
  });

  test('a record that was cut off goes, and ends nothing', () => {
    const child = stubborn();
    orphan(child.pid);
    writeFileSync(join(folder, 'children', `${child.pid}.json`), '{"pid":');
    expect(childRecords(folder).endLeft()).toBe(0);
    expect(readdirSync(join(folder, 'children'))).toEqual([]);
  });

  test('a folder that is not there is not made', () => {
    const records = childRecords(join(folder, 'nowhere'));
    records.note(process.pid);
    expect(records.endLeft()).toBe(0);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });
});
