import { readFileSync } from 'node:fs';

/**
 * When the process with this id was started, as the system counts it: tells a process from a later one that got its
 * number. Null where the system does not tell.
 */
export function startOf(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null; // Not on this system, or the process is gone.
  }
  // The command stands in parentheses and may hold anything; the 20th field behind it is the start.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
