import { connect, type NatsConnection } from '@nats-io/transport-node';
import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import { type Fault, faultOf } from './faults.js';
import type { Way } from './team-way.js';

/** Milliseconds for one request; a cluster that elects a leader takes up to ten seconds, and then the caller tries again. */
export const TIMEOUT_MS = 5000;

/**
 * One connection that reconnects for ever, with jitter, and notices a silent server within half a minute. The first
 * attempt is not repeated here: what is wrong is said in words. `facts.reason` is the kind of fault.
 */
export async function openConnection(way: Way): Promise<Outcome<NatsConnection>> {
  try {
    const nc = await connect({
      servers: way.servers,
      ...(way.authenticator && { authenticator: way.authenticator }),
      ...(way.ca !== null ? { tls: { ca: way.ca } } : way.servers.some((url) => url.startsWith('tls:')) && { tls: {} }),
      name: 'Holdpoint',
      inboxPrefix: way.inboxPrefix,
      timeout: TIMEOUT_MS,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 1000,
      reconnectJitter: 500,
      reconnectJitterTLS: 1000,
      pingInterval: 15_000,
      maxPingOut: 2,
      ignoreAuthErrorAbort: true,
    });
    return accepted(nc);
  } catch (error) {
    const fault = faultOf(error);
    return refused('not_allowed', connectionWords(fault), { reason: fault.kind, said: fault.text });
  }
}

function connectionWords(fault: Fault): string {
  switch (fault.kind) {
    case 'wrong_ca':
      return `The server's certificate is not trusted: choose the file of the authority that signed it (${fault.text}).`;
    case 'refused':
      return 'The server answers, and refuses these credentials.';
    default:
      return `No server can be reached: ${fault.text || 'it does not answer'}.`;
  }
}
