import type { Tidied } from '../store/contract.js';

/** What a pass over old things removed, as sentences that follow those of the sweep; '' when there was nothing. */
export function tidiedInWords(tidied: Tidied, dryRun = false): string {
  const parts = [
    [tidied.revisions, 'old revision', ''] as const,
    [tidied.payloads, 'payload', ' that nothing names'] as const,
    [tidied.temps, 'leftover', ' of writers that died'] as const,
  ].flatMap(([count, what, which]) => (count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}${which}`]));
  const gone = parts.length === 0 ? '' : ` ${parts.join(', ')} ${dryRun ? 'would be ' : ''}removed.`;
  const aside = tidied.leaving === 0 ? '' : ` ${tidied.leaving} more ${dryRun ? 'would go' : 'go'} a day later.`;
  const doubt = tidied.doubt === null ? '' : ` No payload goes while a record cannot be read (${tidied.doubt}).`;
  return `${gone}${aside}${doubt}`;
}
