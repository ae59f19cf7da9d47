import { errors } from '@nats-io/transport-node';
import { refused } from '../../../shared/refusal.js';
import type { CasPut } from '../engine.js';

/** What the server said of a request, or why nothing was said. */
export type Fault =
  | {
      kind: 'unreachable' | 'refused' | 'wrong_ca' | 'no_jetstream' | 'no_bucket' | 'no_answer' | 'closed';
      text: string;
    }
  | { kind: 'no_right'; subject: string; operation: string; text: string }
  | { kind: 'too_large'; text: string }
  | { kind: 'api'; code: number; text: string };

const CERTIFICATE = /UNABLE_TO_VERIFY|SELF_SIGNED|CERT_|ALTNAME|UNABLE_TO_GET_ISSUER|certificate/i;
const AWAY = /ECONN|ENOTFOUND|EAI_AGAIN|EHOST|ENET|ETIMEDOUT|connection refused|EPIPE/;

/** An error of the client as one of the few things that can be wrong. Throws what is none of them. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) throw error;
  const chain = causes(error);
  const violation = chain.find((one) => one instanceof errors.PermissionViolationError);
  if (violation !== undefined)
    return { kind: 'no_right', subject: violation.subject, operation: violation.operation, text: violation.message };
  const api = chain.find(
    (one) => one.name === 'JetStreamApiError' || 'apiError' in one || one.name === 'StreamNotFoundError',
  );
  if (api !== undefined && 'code' in api) return apiFault(Number(api.code), api.message);
  const text = chain.map((one) => `${'code' in one ? `${String(one.code)} ` : ''}${one.message}`).join(': ');
  if (chain.some((one) => one.name === 'JetStreamNotEnabled')) return { kind: 'no_jetstream', text };
  if (CERTIFICATE.test(text)) return { kind: 'wrong_ca', text };
  if (
    chain.some(
      (one) => one instanceof errors.AuthorizationError || one instanceof errors.UserAuthenticationExpiredError,
    )
  )
    return { kind: 'refused', text };
  if (/max_payload|payload.*exceeded/i.test(text)) return { kind: 'too_large', text };
  if (chain.some((one) => one instanceof errors.TimeoutError || one instanceof errors.NoRespondersError))
    return { kind: 'no_answer', text };
  if (AWAY.test(text)) return { kind: 'unreachable', text };
  if (chain.some((one) => one instanceof errors.ClosedConnectionError || one instanceof errors.DrainingConnectionError))
    return { kind: 'closed', text };
  if (chain.some((one) => one instanceof errors.ConnectionError || one instanceof errors.RequestError))
    return { kind: 'unreachable', text };
  throw error;
}

/** An error answer of JetStream by its own number. */
export function apiFault(code: number, text: string): Fault {
  if (code === 10059) return { kind: 'no_bucket', text };
  if (code === 10039 || code === 10076) return { kind: 'no_jetstream', text };
  if (code === 10054) return { kind: 'too_large', text };
  return { kind: 'api', code, text };
}

/** Numbers of "somebody wrote since", and of "somebody is writing just now". */
const CONFLICTS = new Set([10071, 10164]);
/** No room: bytes, messages, the account's or the server's own limits. */
const FULL = new Set([10077, 10023, 10047, 10002, 10028]);

/**
 * What a write came to. Only what certainly was not stored is refused or a conflict; whatever else went wrong may have
 * been stored, or may be stored yet.
 */
export function writeEnded(fault: Fault, subject: string): CasPut {
  const no = (...said: Parameters<typeof refused>): CasPut => ({ kind: 'refused', refusal: refused(...said).refusal });
  switch (fault.kind) {
    case 'no_right':
      return fault.operation === 'publish' && fault.subject === subject
        ? no('not_allowed', `The server gives no right to write ${subject}.`, { subject })
        : { kind: 'ambiguous', text: fault.text };
    case 'too_large':
      return no('too_large', 'The server takes no message as large as this one.', { said: fault.text });
    case 'api':
      if (CONFLICTS.has(fault.code)) return { kind: 'conflict' };
      if (FULL.has(fault.code))
        return no('store_full', `The shared engine is full, and takes nothing more: ${fault.text}.`, {
          code: fault.code,
        });
      return { kind: 'ambiguous', text: `${fault.text} (${fault.code})` };
    default:
      return { kind: 'ambiguous', text: fault.text };
  }
}

function causes(error: Error): Error[] {
  const chain = [error];
  for (let next = error.cause; next instanceof Error && chain.length < 8; next = next.cause) chain.push(next);
  return chain;
}
