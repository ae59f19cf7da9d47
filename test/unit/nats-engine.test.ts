import { createHash } from 'node:crypto';
import { StorageType } from '@nats-io/jetstream';
import { describe, expect } from 'vitest';
import type { Stored } from '../../electron/sync/engine.js';
import { openTeamEngine } from '../../electron/sync/nats/open-engine.js';
import { asAdmin, changeBucket, makeBucket } from '../helpers/nats-bucket.js';
import { openedEngine, teamOf, textOf, utf8 } from '../helpers/team.js';
import { withNats } from '../helpers/with-nats.js';

const big = (length: number): Uint8Array => new Uint8Array(length).map((_, n) => (n * 31 + (n >> 8)) % 251);
const sumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe.each(['own', 'cluster'] as const)('the five methods over a single server (%s)', (kind) => {
  withNats(kind, 'a compare-and-set: create only, over a revision, never over a marker', async (world) => {
    const server = await world.single();
    await makeBucket(server.url);
    const { engine, close } = await openedEngine(server.url);
    const first = await engine.casPut('susp.a', utf8('one'), 0);
    expect(first).toEqual({ kind: 'stored', revision: expect.any(Number) });
    const revision = first.kind === 'stored' ? first.revision : 0;
    expect(await engine.casPut('susp.a', utf8('other'), 0)).toEqual({ kind: 'conflict' });
    expect(await engine.casPut('susp.a', utf8('two'), revision)).toMatchObject({ kind: 'stored' });
    expect(await engine.casPut('susp.a', utf8('late'), revision)).toEqual({ kind: 'conflict' });
    const two = await engine.get('susp.a');
    expect(two).toMatchObject({ key: 'susp.a', revision: revision + 1 });
    expect(textOf(two?.value)).toBe('two');
    expect(Math.abs(Number((two?.at ?? 0n) / 1_000_000n) - Date.now())).toBeLessThan(60_000);
    expect(await engine.casPut('susp.a', null, revision + 1)).toMatchObject({ kind: 'stored' });
    expect(await engine.get('susp.a')).toMatchObject({ value: null, revision: revision + 2 });
    expect(await engine.casPut('susp.a', utf8('again'), 0)).toEqual({ kind: 'conflict' });
    expect(await engine.get('susp.none')).toBeNull();
    await close();
  });

  withNats(
    kind,
    'a watch begins after a revision, shows stored writes only and goes on; keys hold a value',
    async (world) => {
      const server = await world.single();
      await makeBucket(server.url);
      const { engine, close } = await openedEngine(server.url);
      const before = (await engine.life()).last;
      for (const key of ['a', 'b', 'c']) await engine.casPut(`susp.${key}`, utf8(key), 0);
      await engine.casPut('susp.b', null, before + 2);
      const keys: string[] = [];
      for await (const { key } of engine.keys()) keys.push(key);
      expect(keys.sort()).toEqual(['susp.a', 'susp.c']);
      const stop = new AbortController();
      const seen: Stored[] = [];
      const over = (async () => {
        for await (const one of engine.watch(before + 1, stop.signal)) {
          seen.push(one);
          if (one.key === 'susp.end') stop.abort();
        }
      })();
      await engine.casPut('susp.a', utf8('refused'), 0);
      await engine.casPut('susp.d', utf8('d'), 0);
      await engine.casPut('susp.end', utf8('end'), 0);
      await over;
      expect(seen.map((one) => [one.key, textOf(one.value)])).toEqual([
        ['susp.c', 'c'],
        ['susp.b', null],
        ['susp.d', 'd'],
        ['susp.end', 'end'],
      ]);
      expect(seen.map((one) => one.revision)).toEqual([...seen.map((one) => one.revision)].sort((a, b) => a - b));
      expect(seen.every((one) => one.at > 0n)).toBe(true);
      await close();
    },
  );

  withNats(kind, 'a watch hears what comes after the server was killed and started', async (world) => {
    const server = await world.single();
    await makeBucket(server.url);
    const { engine, close } = await openedEngine(server.url);
    const stop = new AbortController();
    const seen: string[] = [];
    const over = (async () => {
      for await (const one of engine.watch((await engine.life()).last, stop.signal)) {
        seen.push(one.key);
        if (one.key === 'susp.after') stop.abort();
      }
    })();
    await engine.casPut('susp.before', utf8('1'), 0);
    while (!seen.includes('susp.before')) await new Promise((resolve) => setTimeout(resolve, 10));
    await server.kill();
    const away = await engine.casPut('susp.away', utf8('2'), 0);
    expect(['ambiguous', 'conflict']).toContain(away.kind);
    await expect(engine.get('susp.before')).rejects.toMatchObject({ name: 'EngineAway' });
    await server.start();
    for (;;) {
      const put = await engine.casPut('susp.after', utf8('3'), 0);
      if (put.kind === 'stored' || put.kind === 'conflict') break;
    }
    await over;
    expect(seen).toContain('susp.after');
    await close();
  });

  withNats(
    kind,
    'a body of 30 MB goes by the object store and is verified; the wrong bytes are nobody’s',
    async (world) => {
      const server = await world.single();
      await makeBucket(server.url);
      const { engine, close } = await openedEngine(server.url);
      const body = big(30 * 1024 * 1024);
      const inline = await engine.casPut('susp.big', body, 0);
      expect(inline).toMatchObject({ kind: 'refused', refusal: { code: 'too_large' } });
      await engine.blobs.put(sumOf(body), body);
      await engine.blobs.put(sumOf(body), body);
      expect(sumOf((await engine.blobs.get(sumOf(body))) ?? new Uint8Array())).toBe(sumOf(body));
      expect(await engine.blobs.get(sumOf(utf8('none')))).toBeNull();
      const claimed = sumOf(utf8('claimed'));
      await asAdmin(server.url, {}, async (nc) => {
        const { Objm } = await import('@nats-io/obj');
        await (await new Objm(nc).open('hp')).putBlob({ name: `sha256-${claimed}` }, utf8('other bytes'));
      });
      expect(await engine.blobs.get(claimed)).toBeNull();
      await engine.blobs.put(claimed, utf8('claimed'));
      expect(textOf(await engine.blobs.get(claimed))).toBe('claimed');
      await close();
    },
  );

  withNats(
    kind,
    'a full bucket takes nothing new, and throws nothing out; a newer server takes no claim of what stands in it either',
    async (world) => {
      const server = await world.single();
      await makeBucket(server.url, { max_bytes: 20_000 });
      const { engine, close } = await openedEngine(server.url);
      let n = 0;
      let put = await engine.casPut('susp.0', big(3000), 0);
      const first = put.kind === 'stored' ? put.revision : 0;
      while (put.kind === 'stored') put = await engine.casPut(`susp.${++n}`, big(3000), 0);
      expect(put).toMatchObject({ kind: 'refused', refusal: { code: 'store_full' } });
      const claim = await engine.casPut('susp.0', big(3000), first);
      // Debian 12's server lets a value of the same size take the place of the one before.
      if (kind === 'cluster') expect(claim).toMatchObject({ kind: 'refused', refusal: { code: 'store_full' } });
      expect((await engine.get('susp.0'))?.revision).toBe(claim.kind === 'stored' ? claim.revision : first);
      for (let k = 1; k < n; k++) expect(await engine.get(`susp.${k}`), `susp.${k}`).not.toBeNull();
      await close();
    },
  );

  withNats(kind, 'a paused server: the write is ambiguous, and may be stored all the same', async (world) => {
    const server = await world.single();
    await makeBucket(server.url);
    const { engine, close } = await openedEngine(server.url);
    server.pause();
    const put = engine.casPut('susp.a', utf8('token'), 0);
    expect(await put).toMatchObject({ kind: 'ambiguous' });
    server.goOn();
    for (;;) {
      const again = await engine.casPut('susp.a', utf8('token'), 0);
      if (again.kind === 'conflict' || again.kind === 'stored') break;
    }
    expect(textOf((await engine.get('susp.a'))?.value)).toBe('token');
    await close();
  });

  withNats(kind, 'a bucket made anew is another life, and ends a watch of the old one', async (world) => {
    const server = await world.single();
    await makeBucket(server.url);
    const { engine, connection, close } = await openedEngine(server.url);
    const old = await engine.life();
    const watch = (async () => {
      for await (const _ of engine.watch(old.last, new AbortController().signal));
    })();
    const ended = watch.then(
      () => 'ended',
      (error: Error) => error.name,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    await asAdmin(server.url, {}, (_nc, jsm) => jsm.streams.delete('KV_hp'));
    await makeBucket(server.url, { objects: false });
    expect((await engine.life()).created).not.toBe(old.created);
    await connection.reconnect();
    expect(await ended).toBe('EngineAway');
    await close();
  });
});

describe('the gate', () => {
  const reasonOf = async (...args: Parameters<typeof teamOf>): Promise<unknown> => {
    const opened = await openTeamEngine(teamOf(...args), null);
    if (!opened.ok) return opened.refusal.facts['reason'];
    await opened.value.close();
    return opened.value.durability;
  };

  withNats('own', 'H21 an old single server only with the team’s word, and then unverified', async (world) => {
    const server = await world.single();
    await makeBucket(server.url);
    expect(await reasonOf(server.url, { unverified: false })).toBe('version_too_old');
    expect(await reasonOf(server.url)).toBe('unverified');
  });

  withNats('own', 'H21 a cluster of the unfit version is refused, whatever the team says', async (world) => {
    const servers = await world.cluster();
    await makeBucket(servers[0]?.url ?? '', { replicas: 3 });
    expect(await reasonOf(servers[0]?.url ?? '')).toBe('version_too_old');
  });

  withNats('cluster', 'durability is verified only by the word of the monitoring page', async (world) => {
    const server = await world.single();
    await makeBucket(server.url);
    expect(await reasonOf(server.url)).toBe('unverified');
    expect(await reasonOf(server.url, { monitors: [server.monitor] })).toBe('verified');
    expect(await reasonOf(server.url, { monitors: [server.monitor, 'http://127.0.0.1:9'] })).toBe('unverified');
    const slack = await world.single('', { jetstream: `store_dir: "${world.folder}/slack"` });
    await makeBucket(slack.url);
    expect(await reasonOf(slack.url, { monitors: [slack.monitor] })).toBe('not_synced');
  });

  withNats('cluster', 'no bucket, and buckets that forget, are refused by what they would do', async (world) => {
    const server = await world.single();
    expect(await reasonOf(server.url)).toBe('no_bucket');
    await makeBucket(server.url, { bucket: 'aged', ttl: 60_000 });
    await makeBucket(server.url, { bucket: 'direct', allow_direct: true });
    await makeBucket(server.url, { bucket: 'memory', storage: StorageType.Memory });
    for (const bucket of ['aged', 'direct', 'memory'])
      expect(await reasonOf(server.url, { bucket }), bucket).toBe('bucket_kept_wrong');
    await makeBucket(server.url);
    await changeBucket(server.url, { discard: 'old' as never });
    expect(await reasonOf(server.url)).toBe('bucket_kept_wrong');
  });

  withNats('cluster', 'a server without JetStream, and none at all', async (world) => {
    const server = await world.single('', { jetstream: null });
    expect(['no_jetstream', 'no_answer']).toContain(await reasonOf(server.url));
    await server.kill();
    expect(await reasonOf(server.url)).toBe('unreachable');
  });
});
