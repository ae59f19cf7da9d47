import { type JetStreamManager, jetstreamManager, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { Objm } from '@nats-io/obj';
import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node';

/** Makes the bucket as an administrator does, with the official client: file storage, one value a key, no age, no direct reads. */
export async function makeBucket(
  url: string,
  {
    bucket = 'hp',
    replicas = 1,
    options = {},
    objects = true,
    ...more
  }: {
    bucket?: string;
    replicas?: number;
    options?: ConnectionOptions;
    objects?: boolean;
    max_bytes?: number;
    ttl?: number;
    allow_direct?: boolean;
    storage?: StorageType;
  } = {},
): Promise<void> {
  const make = (): Promise<void> =>
    asAdmin(url, options, async (nc) => {
      const kvm = new Kvm(nc);
      await kvm.create(bucket, { history: 1, replicas, storage: StorageType.File, allow_direct: false, ...more });
      if (objects) await new Objm(nc).create(bucket, { replicas, storage: StorageType.File });
    });
  // A cluster that has just come up may still be finding its peers and its leader.
  for (let tries = 0; ; tries++) {
    try {
      return await make();
    } catch (cause) {
      if (replicas === 1 || tries > 40) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

/** Changes how the bucket is kept, as an administrator may. */
export async function changeBucket(url: string, change: Partial<StreamConfig>, bucket = 'hp'): Promise<void> {
  await asAdmin(url, {}, async (_nc, jsm) => {
    const { config } = await jsm.streams.info(`KV_${bucket}`);
    await jsm.streams.update(`KV_${bucket}`, { ...config, ...change });
  });
}

/** Something that only an administrator does, on a connection of its own. */
export async function asAdmin<T>(
  url: string,
  options: ConnectionOptions,
  act: (nc: NatsConnection, jsm: JetStreamManager) => Promise<T>,
): Promise<T> {
  const nc = await connect({ servers: url, timeout: 10_000, ...options });
  try {
    return await act(nc, await jetstreamManager(nc, { timeout: 10_000 }));
  } finally {
    await nc.close();
  }
}
