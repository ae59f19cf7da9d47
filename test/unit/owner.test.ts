import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isAlive, thisProcess } from '../../electron/identity.js';
import { lives, type Owner, ownerOf, takeOwnership } from '../../electron/owner.js';
import { systemClock, systemIds } from '../../electron/system-clock.js';
import { refusalOf, unwrap } from '../helpers/world.js';

// Real files on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-owner-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const me = thisProcess('the window');
const { start, ...named } = me;
const record = (change: Partial<Owner>): Owner => ({
  v: 1,
  id: 'other',
  ...named,
  processStart: start ?? null,
  startedAt: '2026-07-20T10:00:00.000Z',
  ...change,
});
const leave = (change: Partial<Owner>) => writeFileSync(join(folder, 'owner.json'), JSON.stringify(record(change)));

/** The id of a process that has just ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.once('close', resolve));
  return child.pid ?? 0;
}

describe('who a process is', () => {
  it('names this host, boot and process, and finds it alive', () => {
    expect(me).toMatchObject({ host: hostname(), pid: process.pid, name: 'the window' });
    expect(me.boot.length).toBeGreaterThan(4);
    expect(isAlive(me)).toBe('yes');
  });

  it('finds a process that ended, or that belonged to another boot, gone', async () => {
    expect(isAlive({ ...me, pid: await deadPid() })).toBe('no');
    expect(isAlive({ ...me, boot: 'another' })).toBe('no');
    expect(isAlive({ ...me, pid: 0 })).toBe('no');
    expect(isAlive({ ...me, pid: -1 })).toBe('no');
  });

  it('takes no process for one that had its number before; without a start the number counts', () => {
    expect(isAlive({ ...me, start: '1' })).toBe(me.start == null ? 'yes' : 'no');
    for (const start of [null, undefined]) expect(isAlive({ ...me, start })).toBe('yes');
    expect(isAlive({ ...me, start: '1', host: 'elsewhere' })).toBe('unknown');
  });

  it('cannot tell of another host', () => {
    expect(isAlive({ ...me, host: 'elsewhere' })).toBe('unknown');
  });

  it('takes boots that are known by their time for one within two minutes', () => {
    const here = { ...me, boot: 't1000000' };
    expect(isAlive({ ...me, boot: 't1000060' }, here)).toBe('yes');
    expect(isAlive({ ...me, boot: 't1000200' }, here)).toBe('no');
  });

  it('has a clock in nanoseconds, and ids that ascend', () => {
    const clock = systemClock();
    const apart = Number(clock.now() / 1_000_000n) - Date.now();
    expect(Math.abs(apart)).toBeLessThan(10_000);
    expect(clock.monotonic()).toBeLessThanOrEqual(clock.monotonic());
    const ids = systemIds();
    const made = Array.from({ length: 1000 }, () => ids.ulid());
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(1000);
    expect(made[0]).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });
});

describe('H11 one window a data folder', () => {
  it('writes the record for this user alone, and takes it away on release', async () => {
    const owned = unwrap(await takeOwnership(folder, me));
    expect(await ownerOf(folder)).toEqual(owned.owner);
    expect(readdirSync(folder)).toEqual(['owner.json']);
    await owned.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses a second one while the first lives, with its process and since when', async () => {
    const first = unwrap(await takeOwnership(folder, me));
    const second = await takeOwnership(folder, me);
    expect(second.ok || second.refusal).toMatchObject({
      code: 'not_allowed',
      facts: { pid: process.pid, host: me.host, since: first.owner.startedAt, alive: 'yes' },
    });
    expect(second.ok || second.refusal.text).toContain(String(process.pid));
    expect((await ownerOf(folder))?.id).toBe(first.owner.id);
  });

  it.each([
    ['its process is gone', async () => ({ pid: await deadPid() })],
    ['the machine was started anew', async () => ({ boot: 'another' })],
    ['its number was given to another process', async () => ({ processStart: '1' })],
  ] as const)('takes over when %s', async (_why, change) => {
    leave(await change());
    const owned = unwrap(await takeOwnership(folder, me));
    expect((await ownerOf(folder))?.id).toBe(owned.owner.id);
    expect(readdirSync(folder)).toEqual(['owner.json']);
  });

  it('takes over from a record that cannot be read', async () => {
    writeFileSync(join(folder, 'owner.json'), '{"v":1,');
    unwrap(await takeOwnership(folder, me));
  });

  it('does not take over from another machine, unless a person says so', async () => {
    leave({ host: 'elsewhere' });
    expect(lives(record({ host: 'elsewhere' }), me)).toBe('unknown');
    const refused = await takeOwnership(folder, me);
    expect(refusalOf(refused)).toBe('not_allowed');
    expect(refused.ok || refused.refusal.text).toContain('elsewhere');
    unwrap(await takeOwnership(folder, me, { evenElsewhere: true }));
  });

  it('lets exactly one of many that take over at once have it', async () => {
    leave({ boot: 'another' });
    const all = await Promise.all(Array.from({ length: 12 }, () => takeOwnership(folder, me)));
    const owners = all.flatMap((outcome) => (outcome.ok ? [outcome.value.owner.id] : []));
    expect(owners).toHaveLength(1);
    expect((await ownerOf(folder))?.id).toBe(owners[0]);
  });

  it('releases only what is still its own', async () => {
    const owned = unwrap(await takeOwnership(folder, me));
    leave({ id: 'somebody else' });
    await owned.release();
    expect(JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8'))).toMatchObject({ id: 'somebody else' });
    rmSync(join(folder, 'owner.json'));
    await owned.release();
    expect(existsSync(join(folder, 'owner.json'))).toBe(false);
  });
});
