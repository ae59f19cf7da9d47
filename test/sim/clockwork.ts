/** One process of the simulation; a crash begins another life, and whatever an earlier one was waiting for never comes. */
export interface Owner {
  name: string;
  life: number;
}

interface Event {
  at: number;
  order: number;
  act: () => void;
}

/**
 * Virtual time for real asynchronous code: each task waits for one thing at a time, and the next event comes only when every
 * task waits again. So the same seed gives the same order, and nothing depends on the machine.
 */
export class Clockwork {
  /** Virtual milliseconds. */
  now = 0;
  events = 0;
  readonly #heap: Event[] = [];
  #order = 0;
  #running = 0;
  #idle: (() => void) | null = null;
  #fault: Error | null = null;

  at(time: number, act: () => void): void {
    const heap = this.#heap;
    heap.push({ at: Math.max(time, this.now), order: this.#order++, act });
    for (let child = heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.#swap(parent, child)) break;
      child = parent;
    }
  }

  /** Starts a task of an owner; a fault in it ends the run. */
  spawn(body: () => Promise<void>): void {
    this.#running++;
    body().then(
      () => this.#parked(),
      (fault: unknown) => {
        this.#fault ??= fault instanceof Error ? fault : new Error(String(fault));
        this.#parked();
      },
    );
  }

  /** Lets the calling task wait until one of the two is called; for an owner that crashed meanwhile, for ever. */
  wait<T>(owner: Owner, start: (give: (value: T) => void, fail: (error: Error) => void) => void): Promise<T> {
    const { life } = owner;
    let open = true;
    const once = (act: () => void): void => {
      if (!open || owner.life !== life) return;
      open = false;
      this.#running++;
      act();
    };
    const promise = new Promise<T>((resolve, reject) =>
      start(
        (value) => once(() => resolve(value)),
        (error) => once(() => reject(error)),
      ),
    );
    this.#parked();
    return promise;
  }

  async run(until: () => boolean): Promise<void> {
    for (let next = this.#pop(); next !== null && !until(); next = this.#pop()) {
      this.now = next.at;
      this.events++;
      next.act();
      if (this.#running > 0)
        await new Promise<void>((resolve) => {
          this.#idle = resolve;
        });
      if (this.#fault) throw this.#fault;
    }
  }

  #parked(): void {
    if (--this.#running > 0) return;
    this.#idle?.();
    this.#idle = null;
  }

  #pop(): Event | null {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined) return null;
    if (heap.length === 0) return first;
    heap[0] = last;
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1;
      const right = left + 1;
      const child = right < heap.length && this.#before(right, left) ? right : left;
      if (child >= heap.length || !this.#swap(parent, child)) return first;
      parent = child;
    }
  }

  #before(one: number, other: number): boolean {
    const a = this.#heap[one];
    const b = this.#heap[other];
    if (a === undefined || b === undefined) return false;
    return a.at < b.at || (a.at === b.at && a.order < b.order);
  }

  #swap(parent: number, child: number): boolean {
    if (!this.#before(child, parent)) return false;
    const a = this.#heap[parent];
    const b = this.#heap[child];
    if (a === undefined || b === undefined) return false;
    this.#heap[parent] = b;
    this.#heap[child] = a;
    return true;
  }
}
