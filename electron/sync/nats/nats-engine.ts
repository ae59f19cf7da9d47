import {
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { type CasPut, EngineAway, type EngineLife, type SharedEngine } from '../engine.js';
import { natsBlobs } from './blobs.js';
import { TIMEOUT_MS } from './connection.js';
import { apiFault, faultOf, writeEnded } from './faults.js';
import { storedOf } from './stored.js';
import { listKeys, watchStream } from './watch.js';

/** A bucket seen through one connection; `info` is what an administrator set. */
export interface NatsEngine extends SharedEngine {
  info(): Promise<StreamInfo>;
}

/** How often a watch that hears nothing asks whether the bucket is still the one that it watches. Milliseconds. */
const STILL_THERE_MS = 30_000;

/** The five methods over a bucket of JetStream. The bucket is never made here; nobody but its leader is asked. */
export async function natsEngine(nc: NatsConnection, bucket: string, timeout = TIMEOUT_MS): Promise<NatsEngine> {
  const js: JetStreamClient = jetstream(nc, { timeout });
  const jsm: JetStreamManager = await jetstreamManager(nc, { timeout, checkAPI: false });
  const stream = `KV_${bucket}`;
  const subject = (key: string): string => `$KV.${bucket}.${key}`;
  const info = (): Promise<StreamInfo> => jsm.streams.info(stream).catch(away);
  const life = async (): Promise<EngineLife> => {
    const { created, state } = await info();
    return { created, last: state.last_seq };
  };

  async function casPut(key: string, value: Uint8Array | null, expected: number): Promise<CasPut> {
    const about = headers();
    about.set('Nats-Expected-Last-Subject-Sequence', String(expected));
    if (value === null) about.set('KV-Operation', 'DEL');
    try {
      const answer = await nc.request(subject(key), value ?? new Uint8Array(), { timeout, headers: about });
      return acknowledged(answer.json(), stream, subject(key));
    } catch (error) {
      if (error instanceof SyntaxError) return { kind: 'ambiguous', text: 'the answer is none of JetStream' };
      return writeEnded(faultOf(error), subject(key));
    }
  }

  return {
    casPut,
    info,
    life,
    get: async (key) => {
      const message = await jsm.streams.getMessage(stream, { last_by_subj: subject(key) }).catch(away);
      return message === null ? null : storedOf(key, message);
    },
    async *watch(after, signal) {
      const { created } = await life();
      const own = new AbortController();
      const both = AbortSignal.any([signal, own.signal]);
      try {
        yield* watchStream(js, bucket, after, both, untilAnother(nc, life, created, both));
      } catch (error) {
        away(error);
      } finally {
        own.abort();
      }
    },
    async *keys() {
      try {
        yield* listKeys(js, bucket, (await info()).state.messages);
      } catch (error) {
        away(error);
      }
    },
    blobs: natsBlobs(js, bucket, timeout),
  };
}

/** Reads an acknowledgement; one of another stream says nothing about ours. */
function acknowledged(answer: unknown, stream: string, subject: string): CasPut {
  if (typeof answer !== 'object' || answer === null)
    return { kind: 'ambiguous', text: 'the answer is none of JetStream' };
  if ('error' in answer && typeof answer.error === 'object' && answer.error !== null) {
    const { err_code: code, description } = answer.error as { err_code?: unknown; description?: unknown };
    return writeEnded(apiFault(Number(code ?? 0), String(description ?? 'refused')), subject);
  }
  if ('stream' in answer && answer.stream === stream && 'seq' in answer && typeof answer.seq === 'number')
    return { kind: 'stored', revision: answer.seq };
  return { kind: 'ambiguous', text: 'another stream answered' };
}

/**
 * Rejects when the bucket is another one, or away for good: a consumer that resumes at a revision of the old one would
 * hear nothing, and say nothing. Looks after every reconnect, and now and then.
 */
async function untilAnother(
  nc: NatsConnection,
  life: () => Promise<EngineLife>,
  created: string,
  signal: AbortSignal,
): Promise<never> {
  return new Promise((_resolve, reject) => {
    const look = async (): Promise<void> => {
      try {
        const now = await life();
        if (now.created !== created) reject(new EngineAway(`the bucket was made anew at ${now.created}`));
      } catch (error) {
        // No answer now: the connection goes on trying. A bucket that is not there is another matter.
        if (error instanceof EngineAway && /stream not found/.test(error.message)) reject(error);
      }
    };
    const timer = setInterval(() => void look(), STILL_THERE_MS);
    timer.unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
    void nc.closed().then((fault) => reject(new EngineAway(fault ? fault.message : 'the connection was closed')));
    void (async () => {
      for await (const status of nc.status()) {
        if (signal.aborted) return;
        if (status.type === 'reconnect') void look();
      }
    })();
  });
}

function away(error: unknown): never {
  if (error instanceof EngineAway) throw error;
  const fault = faultOf(error);
  throw new EngineAway(
    fault.kind === 'no_right' ? `the server gives no right to ${fault.operation} ${fault.subject}` : fault.text,
    {
      cause: error,
    },
  );
}
