import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { sourceIn } from '../../electron/dev/nats-server.mjs';
import { makeBucket } from '../helpers/nats-bucket.js';
import { withNats } from '../helpers/with-nats.js';

describe('where the servers of the tests come from', () => {
  const stanzas = [
    'Types: deb',
    'URIs: http://mirror.example/debian',
    'Suites: bookworm bookworm-updates',
    'Components: main',
    'Signed-By: /usr/share/keyrings/k.gpg',
  ].join('\n');

  it('reads the mirror out of the machine’s own sources, in both notations', () => {
    const found = { mirror: 'http://mirror.example/debian', options: '[signed-by=/usr/share/keyrings/k.gpg] ' };
    expect(sourceIn(`Types: deb-src\nURIs: x\n\n${stanzas}`, 'bookworm', true)).toEqual(found);
    const line = 'deb [signed-by=/usr/share/keyrings/k.gpg] http://mirror.example/debian bookworm main contrib';
    expect(sourceIn(`# a comment\n${line}\n`, 'bookworm', false)).toEqual(found);
    expect(sourceIn('deb http://mirror.example/debian bookworm main', 'bookworm', false)).toEqual({
      mirror: 'http://mirror.example/debian',
      options: '',
    });
  });

  it('takes no other suite and no other component', () => {
    expect(sourceIn(stanzas, 'trixie', true)).toBeNull();
    expect(sourceIn(stanzas.replace('main', 'contrib'), 'bookworm', true)).toBeNull();
    expect(sourceIn('deb http://mirror.example/debian bookworm contrib', 'bookworm', false)).toBeNull();
  });
});

describe('servers of the tests', () => {
  withNats('own', 'a single server keeps what it acknowledged over a kill -9 and a start', async (world) => {
    const server = await world.single();
    await makeBucket(server.url);
    const write = async (act: (kv: Awaited<ReturnType<Kvm['open']>>) => Promise<unknown>): Promise<void> => {
      const nc = await connect({ servers: server.url });
      await act(await new Kvm(jetstream(nc)).open('hp', { allow_direct: false }));
      await nc.close();
    };
    await write((kv) => kv.put('a', 'x', { previousSeq: 0 }));
    await server.kill();
    await server.start();
    await write(async (kv) => expect((await kv.get('a'))?.string()).toBe('x'));
  });

  withNats('cluster', 'three servers replicate, and go on with two', async (world) => {
    const servers = await world.cluster();
    const urls = servers.map((one) => one.url);
    await makeBucket(urls[0] ?? '', { replicas: 3 });
    await servers[2]?.kill();
    const nc = await connect({ servers: urls, timeout: 10_000 });
    const kv = await new Kvm(jetstream(nc, { timeout: 10_000 })).open('hp', { allow_direct: false });
    for (let tries = 0; ; tries++) {
      // A new leader is elected meanwhile.
      const put = await kv.put('a', 'x').catch((error: unknown) => error);
      if (typeof put === 'number') break;
      if (tries > 200) throw put;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect((await kv.get('a'))?.string()).toBe('x');
    await nc.close();
  });
});
