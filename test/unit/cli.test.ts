import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exitOf } from '../../electron/cli/exit.js';
import { hoursOf } from '../../electron/cli/gc.js';
import { escapeHidden, toJson } from '../../electron/cli/json.js';
import { block, oneLine, visible } from '../../electron/cli/text.js';
import { inspectJson } from '../../electron/formats/read-record.js';
import { openStore } from '../../electron/store/file-store.js';
import { REFUSAL_CODES } from '../../shared/refusal.js';
import { run, runJson } from '../helpers/cli-run.js';
import { writeKeyFile } from '../helpers/signer.js';
import { FIXTURES, klieo, klieoRecord, unwrap, World } from '../helpers/world.js';

// Real files on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const RUN = '01K0QZ6V5M3H8D7N2B4C9F1XGA';
const ONE = join(FIXTURES, 'klieo/01-first-attempt-one-pending.json');

let home = '';
let data = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'holdpoint-cli-'));
  data = join(home, 'data');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const at = (...argv: string[]) => run(['--data', data, ...argv]);
const json = (...argv: string[]) => runJson(['--data', data, ...argv]);

/** A person decides the run in this data folder. */
async function decide(...said: Parameters<World['decide']>[1][]): Promise<void> {
  writeKeyFile(data);
  const store = await openStore(join(data, 'store'), { ballastBytes: 0 });
  const world = new World({}, store);
  world.now = BigInt(Date.now()) * 1_000_000n;
  const key = { system: 'klieo' as const, source: 'local', runId: RUN, seq: 1 };
  for (const one of said) unwrap(await world.decide(key, one));
  await store.close();
}

describe('the command line', () => {
  it.each([
    [[]],
    [['nope']],
    [['list', 'more']],
    [['inspect']],
    [['show']],
    [['--nope']],
    [['list', '--token', 'x']],
    [['await', 'x']],
    [['start', 'x', '--token', 't']],
    [['start', 'x', '--call', '1.5', '--token', 't']],
    [['report', 'x', '--call', '0', '--token', 't']],
    [['report', 'x', '--call', '0', '--token', 't', '--result', '-', '--error', 'e']],
    [['complete', 'x', '--token', 't', '--answer', 'a', '--answer-file', 'f']],
    [['gc', '--ttl', '7']],
    [['gc', '--ttl', '-1d']],
    [['await', 'x', '--token', 't', '--timeout', 'soon']],
    [['help', 'nope']],
    [['--data']],
  ])('%j is a mistake of the caller, told on stderr', async (argv) => {
    const ran = await run(argv);
    expect(ran.code).toBe(2);
    expect(ran.err).not.toBe('');
    expect(ran.out).toBe('');
    if (argv.length > 0 && argv[0] !== '--data') {
      const { code, value } = await runJson(argv);
      expect([code, value]).toMatchObject([2, { ok: false, refusal: { code: 'bad_request' } }]);
    }
    expect(readdirSync(home)).toEqual([]);
  });

  it('prints its help and its version', async () => {
    const help = await run(['help']);
    expect([help.code, help.err]).toEqual([0, '']);
    for (const name of [
      'inspect',
      'suspend',
      'list',
      'show',
      'await',
      'start',
      'report',
      'complete',
      'withdraw',
      'gc',
      'history',
      'doctor',
    ])
      expect(help.out, name).toContain(`\n  ${name} `.trimEnd());
    expect(help.out).toContain('Exit codes');
    expect(help.out).toContain('numbered from 0');
    expect((await run(['await', '--help'])).out).toContain('await RUN --token T');
    expect((await run(['help', 'gc'])).out).toContain('--dry-run');
    const version = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
      version: string;
    };
    expect((await run(['--version'])).out).toBe(`${version.version}\n`);
  });

  it('takes --data before and after the command, and names the folder first in a list (H11)', async () => {
    await (await openStore(join(data, 'store'), { ballastBytes: 0 })).close();
    const before = await run(['--data', data, 'list']);
    const after = await run(['list', `--data=${data}`]);
    expect(before.out.split('\n')[0]).toBe(`Data folder: ${data} (--data)`);
    expect(after.out).toBe(before.out);
    expect((await json('list')).value).toEqual({ ok: true, dataFolder: data, runs: [] });
  });

  it.each([
    [['list']],
    [['show', RUN]],
    [['await', RUN, '--token', 't']],
    [['start', RUN, '--call', '0', '--token', 't']],
    [['report', RUN, '--call', '0', '--token', 't', '--error', 'e']],
    [['complete', RUN, '--token', 't', '--answer', 'a']],
    [['withdraw', RUN]],
    [['gc']],
    [['history']],
  ])('H11 %j makes no store where one vanished, and no data folder', async (argv) => {
    const slip = await runJson(['--data', data, ...argv]);
    expect([slip.code, slip.value]).toMatchObject([1, { ok: false, refusal: { code: 'not_found' } }]);
    expect(readdirSync(home)).toEqual([]);
    expect((await at('suspend', ONE)).code).toBe(0);
    renameSync(join(data, 'store'), join(home, 'away'));
    const before = readdirSync(data);
    const gone = await at(...argv);
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining(`There is no store in ${join(data, 'store')}`)]);
    mkdirSync(join(data, 'store'));
    expect((await at(...argv)).code).toBe(1);
    expect([readdirSync(data).sort(), readdirSync(join(data, 'store'))]).toEqual([[...before, 'store'].sort(), []]);
  });

  it('H11 the doctor makes no store out of an empty folder', async () => {
    mkdirSync(join(data, 'store/k'), { recursive: true });
    expect((await at('doctor')).out).toContain('There is no store yet.');
    expect([readdirSync(data), readdirSync(join(data, 'store'))]).toEqual([['store'], ['k']]);
  });

  it('refuses a data folder that is none', async () => {
    writeFileSync(join(home, 'file'), '');
    const ran = await run(['list', '--data', join(home, 'file')]);
    expect([ran.code, ran.err]).toMatchObject([2, expect.stringContaining('a file and not a folder')]);
  });

  it('gives each refusal one of the documented codes', () => {
    const codes = new Map(REFUSAL_CODES.map((code) => [code, exitOf({ code })]));
    expect(codes.get('already_claimed')).toBe(1);
    expect(codes.get('not_decided')).toBe(3);
    expect(codes.get('undo_window')).toBe(3);
    expect(codes.get('unreadable')).toBe(4);
    expect(codes.get('store_full')).toBe(5);
    expect(codes.get('in_doubt')).toBe(5);
    expect([...codes.values()].every((code) => code >= 1 && code <= 5)).toBe(true);
  });
});

describe('inspect', () => {
  it.each(readdirSync(join(FIXTURES, 'klieo')).filter((name) => /^\d\d-/.test(name)))(
    '%s: --json is the normal form exactly, and no store is made',
    async (name) => {
      const bytes = klieo(name);
      const ran = await run(['inspect', join(FIXTURES, 'klieo', name), '--json', '--data', data]);
      expect(ran.out).toBe(`${inspectJson(bytes)}\n`);
      const { state } = JSON.parse(ran.out) as { state: string };
      expect(ran.code).toBe(state === 'unreadable' ? 4 : 0);
      expect((await run(['inspect', '-', '--json'], bytes)).out).toBe(ran.out);
      const words = await run(['inspect', join(FIXTURES, 'klieo', name)]);
      expect([words.code, words.out]).toMatchObject([ran.code, expect.stringContaining(`: ${state}`)]);
      expect(readdirSync(home)).toEqual([]);
    },
  );

  it('says of a file that cannot be opened why, in the same form', async () => {
    mkdirSync(join(home, 'run.json'));
    expect(await runJson(['inspect', join(home, 'run.json')])).toMatchObject({
      code: 4,
      value: { state: 'unreadable', refusal: { code: 'not_a_file' } },
    });
    expect(await runJson(['inspect', join(home, 'none.json')])).toMatchObject({
      code: 4,
      value: { refusal: { code: 'not_readable', text: expect.stringContaining('there is no such file') } },
    });
    writeFileSync(join(home, 'empty.json'), '');
    expect(await runJson(['inspect', join(home, 'empty.json')])).toMatchObject({
      code: 4,
      value: { refusal: { code: 'empty' } },
    });
  });
});

describe('a run from suspend to complete', () => {
  it('by words', async () => {
    expect((await at('suspend', ONE, '--reason', 'money')).out).toBe(`taken in: klieo:local:1:${RUN}\n`);
    expect((await at('list')).out).toMatch(/waiting +01K0QZ6V5M3H8D7N2B4C9F1XGA +local +2 +issue_refund .*money/);
    const early = await at('await', RUN, '--token', 'mine', '--timeout', '0');
    expect([early.code, early.out, early.err]).toMatchObject([3, '', expect.stringContaining('refused (not_decided)')]);
    await decide(['approve']);
    const answer = await at('await', RUN.toLowerCase(), '--token', 'mine');
    expect([answer.code, answer.out]).toMatchObject([0, expect.stringContaining('call 0      approve issue_refund')]);
    expect((await at('await', RUN, '--token', 'other')).err).toContain('already_claimed');
    expect((await at('start', RUN, '--call', '0', '--token', 'other')).code).toBe(1);
    expect((await at('start', RUN, '--call', '0', '--token', 'mine')).code).toBe(0);
    expect((await at('start', RUN, '--call', '0', '--token', 'mine')).err).toContain('illegal_call_state');
    writeFileSync(join(home, 'result.txt'), 'refunded\n');
    expect((await at('report', RUN, '--call', '0', '--token', 'mine', '--result', join(home, 'result.txt'))).code).toBe(
      0,
    );
    expect((await at('complete', RUN, '--token', 'mine', '--answer', 'all done')).code).toBe(0);
    const shown = await at('show', RUN);
    expect(shown.out).toMatch(/^01K0QZ6V5M3H8D7N2B4C9F1XGA: finished/);
    expect(shown.out).toContain('    > refunded');
    expect(shown.out).toContain('final answer\n    > all done');
    expect((await at('history', RUN)).out).toContain('completed');
    expect((await at('history')).out).toContain('decided by Ada');
  });

  it('by JSON, from the standard input', async () => {
    const bytes = readFileSync(ONE);
    const put = await runJson(['--data', data, 'suspend', '-', '--source', 'bot'], bytes);
    expect(put).toEqual({
      code: 0,
      value: {
        ok: true,
        outcome: 'taken_in',
        suspension: { system: 'klieo', source: 'bot', runId: RUN, seq: 1 },
        run: `klieo:bot:1:${RUN}`,
      },
    });
    expect((await json('show', RUN)).value).toMatchObject({
      ok: true,
      row: { route: 'handed_over' },
      calls: [{ name: 'issue_refund' }],
    });
    expect(await json('await', RUN, '--token', 't', '--timeout', '0')).toMatchObject({
      code: 3,
      value: { ok: false, refusal: { code: 'not_decided' } },
    });
    expect(await json('withdraw', RUN)).toEqual({ code: 0, value: { ok: true } });
    expect((await json('list')).value).toMatchObject({ runs: [{ status: 'withdrawn' }] });
    expect((await json('history', RUN)).value).toMatchObject({
      events: expect.arrayContaining([expect.objectContaining({ kind: 'withdrawn' })]),
    });
    expect((await at('suspend', ONE, '--continue-here')).code).toBe(0);
    expect((await json('show', `klieo:local:1:${RUN}`)).value).toMatchObject({ row: { route: 'here' } });
  });

  it('refuses with 1, and with 4 what cannot be read', async () => {
    expect(await json('show', 'nothing')).toMatchObject({
      code: 1,
      value: { ok: false, refusal: { code: 'not_found' } },
    });
    expect(await json('suspend', join(FIXTURES, 'klieo/07-corrupt-not-json.json'))).toMatchObject({
      code: 4,
      value: { ok: false, refusal: { code: 'unreadable' } },
    });
    expect(await json('suspend', home)).toMatchObject({
      code: 4,
      value: { refusal: { facts: { read: { code: 'not_a_file' } } } },
    });
    expect((await at('list')).out).toContain('No runs.');
  });

  it('takes no answer of a model for the name of a file', async () => {
    await at('suspend', ONE);
    await decide([{ reject: 'no' }]);
    await at('await', RUN, '--token', 't');
    writeFileSync(join(home, 'secret'), 'secret');
    expect((await at('complete', RUN, '--token', 't', '--answer', join(home, 'secret'))).code).toBe(0);
    expect((await json('show', RUN)).value['finalAnswer']).toBe(join(home, 'secret'));
  });

  it('takes a result only as it is: what is no UTF-8 is refused', async () => {
    await at('suspend', ONE);
    await decide(['approve']);
    await at('await', RUN, '--token', 't');
    await at('start', RUN, '--call', '0', '--token', 't');
    const bad = await run(
      ['--data', data, 'report', RUN, '--call', '0', '--token', 't', '--result', '-'],
      new Uint8Array([0x66, 0xff]),
    );
    expect([bad.code, bad.err]).toMatchObject([4, expect.stringContaining('not UTF-8')]);
    const good = await run(
      ['--data', data, 'report', RUN, '--call', '0', '--token', 't', '--result', '-'],
      'grüße\r\n',
    );
    expect(good.code).toBe(0);
    expect((await json('show', RUN)).value).toMatchObject({ journal: { calls: [{ result: 'grüße\r\n' }] } });
  });
});

describe('gc and doctor', () => {
  it('gc names each run before it removes it, and history tells of it', async () => {
    await at('suspend', ONE);
    expect(await json('gc', '--ttl', '1h')).toMatchObject({
      code: 0,
      value: { ok: true, reaped: 0, ttlHours: 1, dryRun: false },
    });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const dry = await at('gc', '--ttl', '1s', '--dry-run');
    expect(dry.out).toContain(`would go   klieo:local:1:${RUN}`);
    expect((await json('gc', '--ttl', '1s')).value).toMatchObject({ reaped: 1 });
    expect((await json('list')).value).toMatchObject({ runs: [] });
    expect((await json('list', '--all')).value).toMatchObject({ runs: [{ runId: RUN, status: 'expired' }] });
    expect((await at('history')).out).toContain('reaped');
    expect((await json('show', RUN)).value).toMatchObject({ refusal: { code: 'tombstone' } });
  });

  it('gc removes nothing while the settings cannot be read, and every command warns', async () => {
    await at('suspend', ONE);
    writeFileSync(join(data, 'settings.json'), '{"settings":');
    expect((await at('gc')).err).toContain('not_allowed');
    const listed = await at('list');
    expect([listed.code, listed.err]).toMatchObject([0, expect.stringContaining('warning: The settings')]);
    expect(readFileSync(join(data, 'settings.json'), 'utf8')).toBe('{"settings":');
  });

  it.each([
    ['7d', 168],
    ['36h', 36],
    ['90m', 1.5],
    ['30s', 30 / 3600],
    ['1d12h', 36],
    ['0.5d', 12],
  ])('%s are %d hours', (text, hours) => {
    expect(hoursOf(text)).toBeCloseTo(hours, 9);
  });

  it('doctor makes nothing, and tells what is wrong with code 5', async () => {
    expect(await json('doctor')).toMatchObject({ code: 1, value: { refusal: { code: 'not_found' } } });
    expect(readdirSync(home)).toEqual([]);
    await at('suspend', ONE);
    expect(await json('doctor')).toMatchObject({ code: 0, value: { ok: true } });
    expect((await at('doctor')).out).toContain('Everything can be read.');
    writeFileSync(join(data, 'store/STORE.json'), '{}');
    const broken = await at('doctor');
    expect([broken.code, broken.out]).toMatchObject([5, expect.stringContaining('PROBLEM  records')]);
    expect((await at('list')).code).toBe(5);
  });
});

describe('I10 a record cannot speak to the terminal, nor in our name', () => {
  const EVIL = '\u001b[2Jx\u0007\u009b31m\u202egnp.exe\u200b\r\nok: fake\n\u2028end';

  it('neither in words nor in JSON', async () => {
    const args = JSON.stringify({ note: EVIL });
    const record = klieoRecord({
      thread: JSON.stringify(EVIL).slice(1, -1),
      calls: [{ id: JSON.stringify(EVIL).slice(1, -1), name: 'send_email', args }],
    });
    writeFileSync(join(home, 'evil.json'), record);
    await at('suspend', join(home, 'evil.json'), '--reason', EVIL);
    const outputs = [
      await run(['inspect', join(home, 'evil.json')]),
      await run(['inspect', join(home, 'evil.json'), '--json']),
      await at('list'),
      await at('list', '--json'),
      await at('show', RUN),
      await at('show', RUN, '--json'),
      await at('show', EVIL.slice(0, 5)),
      await at('history'),
    ];
    for (const { out, err } of outputs) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come out.
      expect(`${out}${err}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u2028\u202e]/);
      expect(out.split('\n')).not.toContain('ok: fake');
    }
    expect(outputs[4]?.out).toContain('[U+202E right-to-left override]');
    expect(JSON.parse(outputs[5]?.out ?? '')).toMatchObject({ reason: EVIL, row: { threadId: EVIL } });
  });

  it('marks what is hidden and keeps what is not', () => {
    expect(visible('grüße 👩‍💻 日本')).toContain('grüße');
    expect(visible('a\u0000b')).toBe('a[U+0000 NUL]b');
    expect(oneLine('a\nb\tc')).toBe('a[line feed]b[tab]c');
    expect(oneLine('abcdef', 4)).toBe('abc…');
    expect(block('a\nb', '> ')).toBe('> a\n> b');
    expect(JSON.parse(escapeHidden(JSON.stringify('\u{e0041}\u202e\u2028\u009b')))).toBe('\u{e0041}\u202e\u2028\u009b');
    expect(toJson({ big: 12345678901234567890n })).toBe('{"big":"12345678901234567890"}');
  });
});
