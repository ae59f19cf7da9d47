import { refused } from '../../shared/refusal.js';

/** What a long act tells of itself, and how a person stops it: before its next step, and only while nothing half would be left. */
export interface UnderWay {
  progress?: ((done: number, all: number) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** From here on it runs to its end. */
  goesOn?: (() => void) | undefined;
}

/** The same with every part there. */
export interface WholeWay {
  progress(done: number, all: number): void;
  signal: AbortSignal;
  goesOn(): void;
}

/** Thrown by a step that found itself stopped. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Throws Stopped when a person said so. */
export function checkStopped({ signal }: Pick<UnderWay, 'signal'>): void {
  if (signal?.aborted) throw new Stopped('a person stopped it');
}

export const stoppedRefusal = (text: string) => refused('stopped', text);
