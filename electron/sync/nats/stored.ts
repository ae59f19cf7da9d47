import type { StoredMsg } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/transport-node';
import { parseTime } from '../../../shared/time.js';
import type { Stored } from '../engine.js';

/** A message that says that a value was removed: by a client, or by the server itself. */
export function isMarker(headers: MsgHdrs | undefined): boolean {
  if (headers === undefined) return false;
  const operation = headers.get('KV-Operation');
  return operation === 'DEL' || operation === 'PURGE' || headers.get('Nats-Marker-Reason') !== '';
}

/** One stored message as the protocol sees it. `at` is the server's own time, to the nanosecond. */
export function storedOf(key: string, { seq, header, data, timestamp }: StoredMsg): Stored {
  const at = parseTime(timestamp);
  if (!at.ok) throw new Error(`the server's time of revision ${seq} cannot be read: ${at.reason}`);
  return { key, revision: seq, value: isMarker(header) ? null : data, at: at.ns };
}
