import type { ZodError } from 'zod';

/** What does not fit, each with its place, as one line for a person. */
export function faultsOf(error: ZodError): string {
  return error.issues
    .map(
      ({ path, message }) =>
        `${path.map((p) => (typeof p === 'number' ? `no. ${p + 1}` : String(p))).join(' › ')}: ${message}`,
    )
    .join('; ');
}
