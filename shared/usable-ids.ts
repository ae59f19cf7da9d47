import type { PendingCall } from './checkpoint.js';

/** Providers take ids up to 40 characters of this alphabet. */
const NOT_PLAIN = /[^A-Za-z0-9]/g;

/**
 * The transcript id of each pending call, by position: its own where it has one that no sibling has, else one made of
 * run, position and argument digest, the same after every restart (H8, C11). Equal ids are all replaced: nobody can say
 * which of the calls an answer under one of them would mean.
 */
export function usableIds(runId: string, pending: readonly Pick<PendingCall, 'id' | 'argumentsSha256'>[]): string[] {
  const run = runId.replace(NOT_PLAIN, '').slice(-16);
  return uniqueIds(
    pending.map((call) => call.id),
    (index) => `hp-${index}-${run}-${pending[index]?.argumentsSha256.slice(0, 8) ?? ''}`,
  );
}

/** Ids of one message: the given ones where they are not empty and not repeated, else what `make` says. */
export function uniqueIds(ids: readonly (string | null)[], make: (index: number) => string): string[] {
  const taken = new Set(ids);
  return ids.map((id, index) => {
    if (id !== null && id !== '' && ids.indexOf(id) === ids.lastIndexOf(id)) return id;
    let made = make(index);
    while (taken.has(made)) made = `${made}x`;
    taken.add(made);
    return made;
  });
}
