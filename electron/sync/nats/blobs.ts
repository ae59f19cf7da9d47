import { createHash } from 'node:crypto';
import type { JetStreamClient } from '@nats-io/jetstream';
import { type ObjectStore, Objm } from '@nats-io/obj';
import { EngineAway, type SharedEngine } from '../engine.js';
import { faultOf, writeEnded } from './faults.js';

const nameOf = (sha256: string): string => `sha256-${sha256}`;
const sumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Bodies in the object store of the same name as the bucket. What the server holds under a digest is believed only when
 * it has that digest.
 */
export function natsBlobs(js: JetStreamClient, bucket: string, timeout: number): SharedEngine['blobs'] {
  let opened: Promise<ObjectStore> | null = null;
  const store = (): Promise<ObjectStore> => {
    opened ??= new Objm(js).open(bucket, false);
    return opened;
  };
  /** Expects the description that was read, so that two who put the same bytes never take each other's chunks away. */
  async function put(sha256: string, bytes: Uint8Array): Promise<void> {
    if (sumOf(bytes) !== sha256) throw new Error('the bytes are not those of their digest');
    const there = await (await store()).info(nameOf(sha256));
    const digest = `SHA-256=${Buffer.from(sha256, 'hex').toString('base64url')}`;
    const same = there !== null && !there.deleted && there.digest.replace(/=+$/, '') === digest.replace(/=+$/, '');
    if (same && there.size === bytes.byteLength) return;
    try {
      const object = { name: nameOf(sha256) };
      await (await store()).putBlob(object, bytes, { timeout, previousRevision: there?.revision ?? 0 });
    } catch (error) {
      const ended = writeEnded(faultOf(error), '');
      // Somebody else put it meanwhile; the read that follows says whether it is whole.
      if (ended.kind !== 'conflict') throw error;
    }
  }
  return {
    put: (sha256, bytes) => put(sha256, bytes).catch(away),
    get: async (sha256) => {
      try {
        const objects = await store();
        const info = await objects.info(nameOf(sha256));
        if (info === null || info.deleted) return null;
        const bytes = await objects.getBlob(nameOf(sha256));
        return bytes !== null && sumOf(bytes) === sha256 ? bytes : null;
      } catch (error) {
        if (error instanceof Error && /digest|sha/i.test(error.message)) return null;
        return away(error);
      }
    },
  };
}

/** A body that cannot be put or got now stops nothing but its own run. */
function away(error: unknown): never {
  throw new EngineAway(faultOf(error).text, { cause: error });
}
