import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { Settings } from '../../shared/settings.js';
import { buildWorker, type Room, startRoom } from '../helpers/worker.js';
import { klieo } from '../helpers/world.js';

// Each test starts the whole of Holdpoint, some of them several times.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let built: Awaited<ReturnType<typeof buildWorker>>;
let room: Room | null = null;
beforeAll(async () => {
  built = await buildWorker();
});
afterAll(() => built.remove());
afterEach(async () => {
  await room?.holdpoint.close();
  if (room) rmSync(room.folder, { recursive: true, force: true });
  room = null;
});

/** The same worker, which ends its thread the moment that one of these requests comes in. */
function dyingOn(...channels: string[]): string {
  const file = join(dirname(built.file), `dying-${channels.length}-${channels[0]?.replaceAll(':', '-')}.mjs`);
  const names = JSON.stringify(channels);
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
import './entry.mjs';
parentPort.on('message', ({ name, args }) => {
  if (name === 'answer' && ${names}.includes(args[0])) process.exit(9);
});
`,
  );
  return file;
}

const listed = (room: Room) => room.ask('queue:show', { view: 'needs_me' });

const record = klieo('01-first-attempt-one-pending.json');

it('what is asked of the main process is answered by the worker, and bytes are moved there', async () => {
  room = await startRoom(built.file);
  const bytes = new Uint8Array(record);
  const taken = await room.ask('intake:bytes', 'a.json', bytes);
  expect(bytes.byteLength).toBe(0);
  expect(taken).toMatchObject({ ok: true, value: { outcome: 'taken_in' } });
  await vi.waitFor(() => expect(room?.events).toContain('runs:changed'));
  expect(await listed(room)).toMatchObject({ ok: true, value: { page: { items: [{ row: { status: 'waiting' } }] } } });
  expect(await room.ask('run:open', 7 as never)).toMatchObject({ ok: false, refusal: { code: 'bad_request' } });
});

it('the main loop goes on turning while the worker reads a large record', async () => {
  room = await startRoom(built.file);
  const text = new TextDecoder().decode(record);
  const large = text.replace(/"content":\s*"/, (start) => `${start}${'x'.repeat(8 * 1024 * 1024)}`);
  let turns = 0;
  let turning = true;
  const turn = (): void => {
    turns++;
    if (turning) setImmediate(turn);
  };
  const taken = room.ask('intake:bytes', 'large.json', new TextEncoder().encode(large));
  turn();
  expect(await taken).toMatchObject({ ok: true, value: { outcome: 'taken_in' } });
  turning = false;
  // In one thread there would be a handful: one for each await.
  expect(turns).toBeGreaterThan(200);
});

it('a worker that ends under a write leaves it in doubt, is started again, and has lost nothing acknowledged', async () => {
  room = await startRoom(dyingOn('settings:set'));
  await room.ask('intake:bytes', 'a.json', new Uint8Array(record));
  const settings = await room.ask('settings:get');
  if (!settings.ok) throw new Error(settings.refusal.text);
  const doubtful = await room.ask('settings:set', settings.value);
  expect(doubtful).toMatchObject({ ok: false, refusal: { code: 'in_doubt' } });
  // Not asked again by itself: the next request is the first that the new worker sees.
  expect(await listed(room)).toMatchObject({ ok: true, value: { page: { items: [{ row: { status: 'waiting' } }] } } });
  expect(room.logged.join('\n')).toContain('starting it again');
  expect(room.events).toContain('settings:changed');
  expect(room.gone).toEqual([]);
});

it('a worker that ends under a question has failed, and nothing is in doubt', async () => {
  room = await startRoom(dyingOn('history:list'));
  expect(await room.ask('history:list')).toMatchObject({ ok: false, refusal: { code: 'fault' } });
  expect(await listed(room)).toMatchObject({ ok: true });
});

it('a worker that ends again and again is not started for ever', async () => {
  room = await startRoom(dyingOn('history:list'));
  for (let time = 0; time < 3; time++) await room.ask('history:list');
  expect(room.gone).toEqual([]);
  await room.ask('history:list');
  expect(room.gone).toEqual([expect.stringContaining('again and again')]);
  expect(await room.ask('settings:set', {} as never)).toMatchObject({ ok: false, refusal: { code: 'fault' } });
});

it('a worker that is at something long is ended all the same when the application closes', async () => {
  const file = join(dirname(built.file), 'stuck.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
import './entry.mjs';
parentPort.on('message', ({ name }) => {
  if (name === 'close') for (;;);
});
`,
  );
  room = await startRoom(file);
  await room.holdpoint.close();
  expect(room.gone).toEqual([]);
});

it('what a worker that was ended by force had started does not outlive it', async () => {
  const file = join(dirname(built.file), 'forced.mjs');
  // Without its own farewell, as when memory runs out: only the main process can end the child.
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
import './entry.mjs';
const post = parentPort.postMessage.bind(parentPort);
parentPort.postMessage = (packet, ...more) => {
  post(packet, ...more);
  if (packet.name !== 'child' || packet.args[1] !== true) return;
  post({ kind: 'tell', name: 'log', args: ['child ' + packet.args[0]] });
  process.removeAllListeners('exit');
  process.exit(9);
};
`,
  );
  room = await startRoom(file);
  const settings = await room.ask('settings:get');
  if (!settings.ok) throw new Error(settings.refusal.text);
  const server = { name: 'sleeps', kind: 'stdio' as const, command: '/bin/sleep', args: ['300'] };
  await room.ask('settings:set', Settings.parse({ ...settings.value, servers: [server] }));
  expect(await room.ask('server:test', 'sleeps')).toMatchObject({ ok: false });
  const pid = Number(/child (\d+)/.exec(room.logged.join('\n'))?.[1]);
  expect(pid).toBeGreaterThan(1);
  await expect.poll(() => isRunning(pid), { timeout: 5000 }).toBe(false);
});

/** What was killed and that nobody has waited for yet (`Z`) runs no more. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}

it('a start that must not be is refused with its reason, and no thread stays', async () => {
  room = await startRoom(built.file);
  await expect(startRoom(built.file, room.folder)).rejects.toThrow('in use by another window');
});
