import { DeliverPolicy, type JetStreamClient, type JsMsg } from '@nats-io/jetstream';
import type { Stored } from '../engine.js';
import { isMarker } from './stored.js';

/** So many messages wait in memory at most; an inline body has up to 256 KB. */
const AHEAD = 100;

/**
 * Stored messages after a revision, by a consumer of the stream in its order. A plain subscription would also show writes
 * that were refused. `until` may throw: then the watch ends with that.
 */
export async function* watchStream(
  js: JetStreamClient,
  bucket: string,
  after: number,
  signal: AbortSignal,
  until: Promise<never>,
): AsyncIterable<Stored> {
  const consumer = await js.consumers.get(`KV_${bucket}`, {
    filter_subjects: `$KV.${bucket}.>`,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: after + 1,
  });
  const messages = await consumer.consume({ max_messages: AHEAD });
  const stop = (): void => messages.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const iterator = messages[Symbol.asyncIterator]();
  try {
    while (!signal.aborted) {
      const next = await Promise.race([iterator.next(), until]);
      if (next.done) return;
      yield storedMessage(bucket, next.value);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    messages.stop();
    await consumer.delete().catch(() => false);
  }
}

/** Every key that holds a value, in one pass over the last message of each; bodies stay at the server. */
export async function* listKeys(
  js: JetStreamClient,
  bucket: string,
  messages: number,
): AsyncIterable<{ key: string; revision: number }> {
  if (messages === 0) return;
  const consumer = await js.consumers.get(`KV_${bucket}`, {
    filter_subjects: `$KV.${bucket}.>`,
    deliver_policy: DeliverPolicy.LastPerSubject,
    headers_only: true,
  });
  const all = await consumer.consume({ max_messages: 5000 });
  try {
    for await (const message of all) {
      if (!isMarker(message.headers)) yield { key: keyOf(bucket, message.subject), revision: message.seq };
      if (message.info.pending === 0) return;
    }
  } finally {
    all.stop();
    await consumer.delete().catch(() => false);
  }
}

const keyOf = (bucket: string, subject: string): string => subject.slice(`$KV.${bucket}.`.length);

function storedMessage(bucket: string, message: JsMsg): Stored {
  const { subject, seq, headers, data } = message;
  return {
    key: keyOf(bucket, subject),
    revision: seq,
    value: isMarker(headers) ? null : data,
    at: message.timestampNanos,
  };
}
