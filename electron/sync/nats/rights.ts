import type { NatsConnection } from '@nats-io/transport-node';
import { headers } from '@nats-io/transport-node';
import { reviewerToken } from '../protocol/keys.js';
import { TIMEOUT_MS } from './connection.js';
import { type Fault, faultOf } from './faults.js';

/** No revision is ever as high: a write that expects it is refused by the stream, and tells that it got there. */
const NEVER = String(Number.MAX_SAFE_INTEGER);

/** The subjects that a reviewer writes; each is asked for without writing anything. */
export function writtenSubjects(bucket: string, reviewer: string): string[] {
  const keys = ['susp.probe', 'meta.tick', ...(reviewer === '' ? [] : [`dec.${reviewerToken(reviewer)}.probe.probe`])];
  return keys.map((key) => `$KV.${bucket}.${key}`);
}

/** Which of the subjects this user may not write. Throws what is another fault. */
export async function missingRights(nc: NatsConnection, subjects: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const subject of subjects) {
    const about = headers();
    about.set('Nats-Expected-Last-Subject-Sequence', NEVER);
    try {
      await nc.request(subject, new Uint8Array(), { timeout: TIMEOUT_MS, headers: about });
    } catch (error) {
      const fault: Fault = faultOf(error);
      if (fault.kind !== 'no_right') throw error;
      missing.push(fault.subject);
    }
  }
  return missing;
}
