import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { refused } from '../../shared/refusal.js';
import { tempFolder } from '../helpers/store-folder.js';

const dialog = { showMessageBox: vi.fn(), showOpenDialog: vi.fn() };
vi.mock('electron', () => ({ dialog }));
const { choseAnotherFolder } = await import('../../electron/shell/choose-folder.js');
const { startHoldpoint } = await import('../../electron/wiring.js');

let config = '';
beforeEach(() => {
  config = tempFolder();
  vi.stubEnv('XDG_CONFIG_HOME', config);
  vi.stubEnv('HOLDPOINT_DATA', '');
  mkdirSync(join(config, 'holdpoint'));
  vi.resetAllMocks();
});
afterEach(() => vi.unstubAllEnvs());

const pointer = () => join(config, 'holdpoint', 'data-folder');
const start = (argv: string[] = []) =>
  startHoldpoint({} as never, { argv, instead: null, owns: () => undefined, relaunch: () => undefined });
const { refusal } = refused('bad_request', '/x cannot be used as the data folder.', { choose: true });

describe.runIf(process.platform === 'linux')('C92 a data folder that cannot be used', () => {
  it.each<[string, (path: string) => void]>([
    ['is a file', (path) => writeFileSync(path, '')],
    ['is not there', () => undefined],
    [
      'holds a STORE.json that is none',
      (path) => {
        mkdirSync(join(path, 'store'), { recursive: true });
        writeFileSync(join(path, 'store', 'STORE.json'), '{');
      },
    ],
  ])('that %s: the refusal names it, and another one may be chosen where a pointer named it', async (_what, spoil) => {
    const path = join(tempFolder(), 'data');
    spoil(path);
    writeFileSync(pointer(), path);
    const started = await start();
    expect(started.ok || [started.refusal.text.includes(path), started.refusal.facts['choose']]).toEqual([true, true]);
    if (_what === 'is not there') return;
    const named = await start(['--data', path]);
    expect(named.ok || named.refusal.facts['choose']).toBe(false);
  });

  it('the person chooses another one, and the pointer names it', async () => {
    dialog.showMessageBox.mockResolvedValueOnce({ response: 0 });
    dialog.showOpenDialog.mockResolvedValueOnce({ filePaths: ['/chosen'] });
    expect(await choseAnotherFolder(refusal)).toBe(true);
    expect(readFileSync(pointer(), 'utf8')).toBe('/chosen\n');
    expect(dialog.showMessageBox.mock.calls[0]?.[0]).toMatchObject({
      detail: expect.stringContaining('/x cannot be used'),
      buttons: ['Choose another folder…', 'Quit'],
      defaultId: 1,
    });
  });

  it('a choice that was closed is asked again; quitting changes nothing, and what a person named is not asked about', async () => {
    writeFileSync(pointer(), '/before\n');
    dialog.showMessageBox.mockResolvedValueOnce({ response: 0 }).mockResolvedValueOnce({ response: 1 });
    dialog.showOpenDialog.mockResolvedValueOnce({ filePaths: [] });
    expect(await choseAnotherFolder(refusal)).toBe(false);
    expect(dialog.showMessageBox).toHaveBeenCalledTimes(2);
    expect(await choseAnotherFolder({ ...refusal, facts: { choose: false } })).toBe(false);
    expect(dialog.showMessageBox).toHaveBeenCalledTimes(2);
    expect(readFileSync(pointer(), 'utf8')).toBe('/before\n');
  });
});
