import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../electron/store/file-store.js';
import { bundle } from '../helpers/bundle.js';
import { type Ran, runProcess } from '../helpers/cli-run.js';
import { writeKeyFile } from '../helpers/signer.js';
import { FIXTURES, klieo, klieoRecord, unwrap, World } from '../helpers/world.js';

const RUN = '01K0QZ6V5M3H8D7N2B4C9F1XGA';
const ONE = join(FIXTURES, 'klieo/01-first-attempt-one-pending.json');
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

let cli = '';
beforeAll(async () => {
  cli = await bundle(join(import.meta.dirname, '../../electron/cli.ts'));
  chmodSync(dirname(cli), 0o755);
}, 120_000);
afterAll(() => rmSync(dirname(cli), { recursive: true, force: true }));

let home = '';
let data = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'holdpoint-process-'));
  data = join(home, 'data');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const holdpoint = (argv: string[], options: Parameters<typeof runProcess>[2] = {}): Promise<Ran> =>
  runProcess(process.execPath, [cli, ...argv], { ...options, env: { HOLDPOINT_DATA: data, ...options.env } });

async function decide(said: Parameters<World['decide']>[1]): Promise<void> {
  writeKeyFile(data);
  const store = await openStore(join(data, 'store'), { ballastBytes: 0 });
  const world = new World({}, store);
  world.now = BigInt(Date.now()) * 1_000_000n;
  unwrap(await world.decide({ system: 'klieo', source: 'local', runId: RUN, seq: 1 }, said));
  await store.close();
}

describe('the command line as a process of plain Node', { timeout: 120_000 }, () => {
  it('ends with the exit code, and says nothing that is not its own', async () => {
    expect(await holdpoint(['suspend', ONE])).toEqual({ code: 0, out: `taken in: klieo:local:1:${RUN}\n`, err: '' });
    expect(await holdpoint(['show', 'nothing'])).toMatchObject({ code: 1, out: '' });
    expect(await holdpoint(['nothing'])).toMatchObject({ code: 2, out: '' });
    expect(await holdpoint(['await', RUN, '--token', 't', '--timeout', '0.2'])).toMatchObject({ code: 3, out: '' });
    expect(await holdpoint(['inspect', home])).toMatchObject({ code: 4, err: '' });
    writeFileSync(join(data, 'store/STORE.json'), '{}');
    expect(await holdpoint(['list'])).toMatchObject({ code: 5, out: '' });
  });

  it('H11 holds nothing that could decide', () => {
    const text = readFileSync(cli, 'utf8');
    expect(text).toContain('claim.before-latch');
    expect(text).not.toContain('decide.before-write');
    expect(text).not.toContain('came_second');
  });

  it('C71 reads times alike in every time zone', async () => {
    const folder = join(FIXTURES, 'cases/C71-naive-and-offset-times');
    const files = readdirSync(folder).filter((name) => /^[a-e]-/.test(name));
    // All of it in one process a zone: each command prints one line of JSON.
    const script = `const { main } = await import(${JSON.stringify(pathToFileURL(cli).href)});
      for (const name of ${JSON.stringify(files)}) {
        await main(['inspect', ${JSON.stringify(folder)} + '/' + name, '--json'], process);
        await main(['suspend', ${JSON.stringify(folder)} + '/' + name, '--json'], process);
      }
      await main(['list', '--json'], process);
      await main(['gc', '--ttl', '1h', '--dry-run', '--json'], process);`;
    const zones = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati'];
    const read: { inspected: unknown[]; order: unknown[] }[] = [];
    for (const TZ of zones) {
      const env = { TZ, HOLDPOINT_DATA: join(home, TZ.replace('/', '-')) };
      const ran = await runProcess(process.execPath, ['--input-type=module', '-e', script], { env });
      const lines = ran.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const inspected = lines.slice(0, 10).filter((_, at) => at % 2 === 0);
      expect(inspected.map((one) => one['state'])).toEqual([
        'unreadable',
        'waiting',
        'waiting',
        'unreadable',
        'waiting',
      ]);
      const runs = lines[10]?.['runs'] as { runId: string; createdAt: string }[];
      expect(new Set(runs.map((run) => run.createdAt))).toEqual(new Set(['2026-03-01T12:00:00Z']));
      expect(lines[11]).toMatchObject({ reaped: 0 });
      read.push({ inspected, order: runs.map((run) => run.runId) });
    }
    for (const one of read.slice(1)) expect(one).toEqual(read[0]);
    for (const at of [0, 3])
      expect(read[0]?.inspected[at]).toMatchObject({
        refusal: { text: expect.stringContaining('no time zone in the record') },
      });
  });

  it('refuses a record without a right to read it, and reads the rest', async () => {
    const locked = join(home, 'locked.json');
    writeFileSync(locked, klieo('01-first-attempt-one-pending.json'));
    chmodSync(locked, 0o000);
    chmodSync(home, 0o755);
    const uid = isRoot ? { uid: NOBODY } : {};
    const ran = await holdpoint(['inspect', locked, '--json'], uid);
    expect(ran.code).toBe(4);
    expect(JSON.parse(ran.out)).toMatchObject({
      state: 'unreadable',
      refusal: { code: 'not_readable', text: expect.stringContaining('EACCES') },
    });
    expect((await holdpoint(['inspect', ONE], uid)).code).toBe(0);
  });

  it('reads a store that it may not write, and says of a write that nothing was saved', async () => {
    await holdpoint(['suspend', ONE]);
    await runProcess('chmod', ['-R', 'a+rX,a-w', home]);
    const uid = isRoot ? { uid: NOBODY } : {};
    const listed = await holdpoint(['list'], uid);
    expect([listed.code, listed.out]).toMatchObject([0, expect.stringContaining('waiting')]);
    const put = await holdpoint(['suspend', ONE, '--source', 'other', '--json'], uid);
    expect([put.code, JSON.parse(put.out)]).toMatchObject([5, { ok: false, refusal: { code: 'store_read_only' } }]);
    expect(await holdpoint(['doctor'], uid)).toMatchObject({ code: 5 });
    await runProcess('chmod', ['-R', 'u+w', home]);
  });

  it('takes a record of 30 MB, and refuses more than 64 MiB unread', async () => {
    const content = `{"role":"user","content":"${'x'.repeat(30 * 1024 * 1024)}","tool_calls":[],"tool_call_id":null}`;
    writeFileSync(join(home, 'big.json'), klieoRecord({ messages: content, calls: [] }));
    expect((await holdpoint(['suspend', join(home, 'big.json')])).code).toBe(0);
    const shown = await holdpoint(['show', RUN]);
    expect([shown.code, shown.out]).toMatchObject([0, expect.stringContaining('waiting')]);
    const file = openSync(join(home, 'huge.json'), 'w');
    ftruncateSync(file, 64 * 1024 * 1024 + 1);
    closeSync(file);
    const huge = await holdpoint(['suspend', join(home, 'huge.json'), '--json']);
    expect([huge.code, JSON.parse(huge.out)]).toMatchObject([4, { refusal: { code: 'too_large' } }]);
  });

  it('reads a pipe that it is given, and survives one that goes away', async () => {
    const shell = (script: string) =>
      runProcess('bash', ['-c', script, 'bash', process.execPath, cli], { env: { HOLDPOINT_DATA: data } });
    const piped = await shell(`"$1" "$2" inspect <(cat '${ONE}') --json`);
    expect([piped.code, JSON.parse(piped.out)]).toMatchObject([0, { state: 'waiting' }]);
    const args = JSON.stringify({ text: 'y'.repeat(1_000_000) });
    writeFileSync(join(home, 'long.json'), klieoRecord({ calls: [{ id: 'c', name: 'send_email', args }] }));
    const cut = await shell(`"$1" "$2" inspect '${join(home, 'long.json')}' | head -c 10; echo " \${PIPESTATUS[0]}"`);
    expect(cut.err).toBe('');
    expect(cut.out.endsWith(' 0\n')).toBe(true);
  });

  it('H13 lets one of several processes claim, gives it its answer again, and lets it start each call once', async () => {
    await holdpoint(['suspend', ONE]);
    await decide(['approve']);
    const tokens = ['first', 'second', 'third', 'fourth', 'fifth'];
    const all = await Promise.all(
      tokens.map((token) => holdpoint(['await', RUN, '--token', token, '--json', '--timeout', '60'])),
    );
    const winners = tokens.filter((_, at) => all[at]?.code === 0);
    expect(winners).toHaveLength(1);
    expect(all.map((one) => one.code).sort()).toEqual([0, 1, 1, 1, 1]);
    const again = await holdpoint(['await', RUN, '--token', winners[0] ?? '', '--json']);
    expect(again.out).toBe(all[tokens.indexOf(winners[0] ?? '')]?.out);
    const starts = await Promise.all(
      Array.from({ length: 5 }, () => holdpoint(['start', RUN, '--call', '0', '--token', winners[0] ?? ''])),
    );
    expect(starts.map((one) => one.code).sort()).toEqual([0, 1, 1, 1, 1]);
  });
});
