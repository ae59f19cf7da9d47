import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createUser } from '@nats-io/nkeys';
import { describe, expect } from 'vitest';
import { examineTeam } from '../../electron/sync/nats/examine.js';
import { openTeamEngine } from '../../electron/sync/nats/open-engine.js';
import type { Team } from '../../shared/settings.js';
import { certificates } from '../helpers/certificates.js';
import { makeBucket } from '../helpers/nats-bucket.js';
import { teamOf, utf8 } from '../helpers/team.js';
import { withNats } from '../helpers/with-nats.js';

const DAY = 86_400_000;
const codes = async (team: Team, secret: string | null = null, reviewer = 'ada', now?: number): Promise<string[]> =>
  (await examineTeam(team, secret, reviewer, now)).findings.map((one) => `${one.level} ${one.code}`);

/** The configuration of the operator's page, to the letter, but for what this machine must choose. */
const page = readFileSync(join(import.meta.dirname, '../../docs/OPERATING.md'), 'utf8');
const operating = /```text\n(server_name:[\s\S]*?)```/.exec(page)?.[1] ?? '';
const accounts = operating.slice(operating.indexOf('accounts {'));
const admin = { user: 'admin', pass: 'change-this-admin' };
const ada = { credentials: { kind: 'password', user: 'ada' } } as const;

describe('what a test of the connection says', () => {
  withNats(
    'cluster',
    'all is well; durability and a clock that is days off are told apart from faults',
    async (world) => {
      const server = await world.single();
      await makeBucket(server.url);
      const team = teamOf(server.url);
      expect(await codes(team)).toEqual(['good connected', 'good rights', 'note unverified']);
      const verified = { ...team, monitors: [server.monitor] };
      expect(await codes(verified)).toEqual(['good connected', 'good rights', 'good durable']);
      expect(await codes(verified, null, '')).toContain('note no_name');
      const off = await examineTeam(verified, null, 'ada', Date.now() + 3 * DAY);
      expect(off.ok).toBe(true);
      expect(off.findings.at(-1)?.text).toMatch(/3 days ahead of the server.*Nothing is decided by it/);
      expect(await codes(verified, null, 'ada', Date.now() - 3 * DAY)).toContain('note clock');
    },
  );

  withNats('cluster', 'a token, a password, an NKey: missing, wrong, right', async (world) => {
    const user = createUser();
    const seed = new TextDecoder().decode(user.getSeed());
    const refusedOr = async (more: string, credentials: Team['credentials'], right: string, wrong: string) => {
      const server = await world.single(more);
      const of = (one: Team['credentials']): Team => teamOf(server.url, { credentials: one });
      expect(await codes(of({ kind: 'none' }))).toEqual(['bad refused']);
      expect(await codes(of(credentials))).toEqual(['bad no_secret']);
      expect(await codes(of(credentials), wrong)).toEqual(['bad refused']);
      expect(await codes(of(credentials), right)).toEqual(['bad no_bucket']);
    };
    await refusedOr('authorization { token: "open" }', { kind: 'token' }, 'open', 'shut');
    const password = 'authorization { users: [{ user: "ada", password: "open" }] }';
    await refusedOr(password, { kind: 'password', user: 'ada' }, 'open', 'shut');
    const nkey = `authorization { users: [{ nkey: "${user.getPublicKey()}" }] }`;
    await refusedOr(nkey, { kind: 'nkey' }, seed, new TextDecoder().decode(createUser().getSeed()));
    expect(await codes(teamOf('nats://127.0.0.1:9', { credentials: { kind: 'nkey' } }), 'no seed')).toEqual([
      'bad bad_credentials',
    ]);
    expect(await codes(teamOf('nats://127.0.0.1:9'))).toEqual(['bad unreachable']);
    expect(await codes(teamOf([]))).toEqual(['bad bad_request']);
    const file = join(world.folder, 'none.creds');
    expect(await codes(teamOf('nats://127.0.0.1:9', { credentials: { kind: 'creds', file } }))).toEqual([
      'bad bad_request',
    ]);
  });

  withNats('cluster', 'a certificate: of nobody known, of another authority, of its own', async (world) => {
    const ours = certificates(world.folder, 'ours');
    const other = certificates(world.folder, 'other');
    const server = await world.single(`tls { cert_file: "${ours.cert}", key_file: "${ours.key}" }`);
    const url = server.url.replace('127.0.0.1', 'localhost');
    expect(await codes(teamOf(url))).toEqual(['bad wrong_ca']);
    expect(await codes(teamOf(url, { caFile: other.ca }))).toEqual(['bad wrong_ca']);
    const noPem = join(world.folder, 'no.pem');
    writeFileSync(noPem, 'no certificate');
    expect(await codes(teamOf(url, { caFile: noPem }))).toEqual(['bad wrong_ca']);
    const tls = { tls: { caFile: ours.ca } };
    await makeBucket(url, { options: tls });
    expect(await codes(teamOf(url, { caFile: ours.ca }))).toContain('good connected');
    expect(await codes(teamOf(url.replace('nats:', 'tls:'), { caFile: ours.ca }))).toContain('good connected');
  });
});

describe('the rights of the operator’s page', () => {
  withNats('cluster', 'a reviewer has every right that he needs, and no more', async (world) => {
    expect(operating).toContain('sync_interval: always');
    const server = await world.single(accounts);
    await makeBucket(server.url, { options: admin });
    const team = teamOf(server.url, { ...ada, monitors: [server.monitor] });
    expect(await codes(team, 'change-this-ada')).toEqual(['good connected', 'good rights', 'good durable']);
    const other = await examineTeam(team, 'change-this-ada', 'mallory');
    expect(other.ok).toBe(false);
    expect(other.findings.map((one) => one.text)).toContain(
      'The right to publish $KV.hp.dec.mallory.probe.probe is missing.',
    );
    const opened = await openTeamEngine(team, 'change-this-ada');
    if (!opened.ok) throw new Error(opened.refusal.text);
    const { engine, close } = opened.value;
    expect(await engine.casPut('dec.bob.r.d', utf8('forged'), 0)).toMatchObject({
      kind: 'refused',
      refusal: { code: 'not_allowed', facts: { subject: '$KV.hp.dec.bob.r.d' } },
    });
    expect(await engine.casPut('meta.epoch', utf8('{}'), 0)).toMatchObject({ refusal: { code: 'not_allowed' } });
    const body = utf8('x'.repeat(300_000));
    const { createHash } = await import('node:crypto');
    const sum = createHash('sha256').update(body).digest('hex');
    await engine.blobs.put(sum, body);
    expect((await engine.blobs.get(sum))?.byteLength).toBe(300_000);
    const stop = new AbortController();
    await engine.casPut('susp.a', utf8('1'), 0);
    for await (const one of engine.watch(0, stop.signal)) if (one.key === 'susp.a') stop.abort();
    await close();
  });

  withNats('cluster', 'each right that is missing is named by its subject', async (world) => {
    const without = async (subject: string): Promise<string[]> => {
      expect(accounts).toContain(`"${subject}"`);
      const server = await world.single(accounts.replaceAll(`"${subject}"`, '"nothing"'));
      await makeBucket(server.url, { options: admin });
      const { findings } = await examineTeam(teamOf(server.url, ada), 'change-this-ada', 'ada');
      return findings.filter((one) => one.level === 'bad').map((one) => `${one.code}: ${one.text}`);
    };
    for (const [subject, named] of [
      ['$JS.API.STREAM.INFO.KV_hp', '$JS.API.STREAM.INFO.KV_hp'],
      ['$JS.API.STREAM.MSG.GET.KV_hp', '$JS.API.STREAM.MSG.GET.KV_hp'],
      ['$JS.API.CONSUMER.CREATE.KV_hp.>', '$JS.API.CONSUMER.CREATE.KV_hp'],
      ['$KV.hp.susp.>', '$KV.hp.susp.'],
      ['$KV.hp.dec.ada.>', '$KV.hp.dec.ada.'],
      ['$KV.hp.probe.>', '$KV.hp.probe.'],
      ['$JS.API.STREAM.MSG.GET.OBJ_hp', '$JS.API.STREAM.MSG.GET.OBJ_hp'],
    ] as const) {
      const said = (await without(subject)).join('\n');
      expect(said, subject).toMatch(/^(no_right|not_allowed): /);
      expect(said, subject).toContain(named);
    }
  });
});
