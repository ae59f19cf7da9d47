import type { KeyPlace } from './key-place.js';

const MOST_KEYS = 1024;

/** Until when nothing of a key can go, its oldest revision being too young: so a busy key is not listed with each write. */
export class ThinWhen {
  readonly #dueAt = new Map<string, number>();

  isDue(place: KeyPlace, nowMs: number): boolean {
    return nowMs >= (this.#dueAt.get(idOf(place)) ?? 0);
  }

  looked(place: KeyPlace, youngUntilMs: number | null): void {
    const id = idOf(place);
    this.#dueAt.delete(id);
    if (youngUntilMs !== null) this.#dueAt.set(id, youngUntilMs);
    const [oldest] = this.#dueAt.keys();
    if (this.#dueAt.size > MOST_KEYS && oldest !== undefined) this.#dueAt.delete(oldest);
  }
}

const idOf = ({ bucket, enc }: KeyPlace): string => `${bucket}/${enc}`;
