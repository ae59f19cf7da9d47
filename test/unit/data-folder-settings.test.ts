import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { followSettings, readSettings } from '../../electron/settings-file.js';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-settings-'));
  path = join(folder, 'settings.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('settings, read by everything but the window (H11)', () => {
  it('gives defaults without a file, and without a warning', () => {
    const { settings, warning } = readSettings(path);
    expect(settings.gc.ttlHours).toBe(168);
    expect(warning).toBeNull();
  });

  it('reads what the window wrote', () => {
    writeFileSync(path, JSON.stringify({ settings: { reviewer: 'Ada', gc: { ttlHours: 720 } } }));
    const { settings, warning } = readSettings(path);
    expect([settings.reviewer, settings.gc.ttlHours, settings.undoSeconds, warning]).toEqual(['Ada', 720, 5, null]);
  });

  it.each([
    ['no JSON', '{"settings": {"reviewer": "A'],
    ['empty', ''],
    ['another shape', '{"settings": {"undoSeconds": "soon"}}'],
    ['a setting of a newer version', '{"settings": {"quorum": 2}}'],
  ])('gives defaults and a warning when the file is broken: %s', (_what, text) => {
    writeFileSync(path, text);
    const { settings, warning } = readSettings(path);
    expect(settings.undoSeconds).toBe(5);
    expect(warning).toContain(path);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('gives defaults and a warning when it is a folder', () => {
    mkdirSync(path);
    expect(readSettings(path).warning).toContain('EISDIR');
  });

  it('sees a change', () => {
    const settings = followSettings(path);
    expect(settings().settings.undoSeconds).toBe(5);
    writeFileSync(path, JSON.stringify({ settings: { undoSeconds: 30 } }));
    expect(settings().settings.undoSeconds).toBe(30);
    rmSync(path);
    expect(settings().settings.undoSeconds).toBe(5);
  });
});
