import type { MessagePort, Worker } from 'node:worker_threads';

/** What one side may be asked for, by name. Arguments and answers are cloned on their way. */
type Acts = Record<string, (...args: never[]) => unknown>;

type Packet =
  | { kind: 'ask'; id: number; name: string; args: readonly unknown[] }
  | { kind: 'tell'; name: string; args: readonly unknown[] }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'fault'; id: number; text: string };

/** The other side ended before it answered: what it was asked may be done, or not, or half. */
export class ThreadGone extends Error {
  override readonly name = 'ThreadGone';
}

export interface Link<Theirs extends Acts> {
  /** Rejects with the other side's own words when it throws, and with ThreadGone when it ends first. */
  ask<N extends keyof Theirs & string>(
    name: N,
    args: Parameters<Theirs[N]>,
    transfer?: readonly ArrayBuffer[],
  ): Promise<Awaited<ReturnType<Theirs[N]>>>;
  /** Asks for something whose end nobody waits for. */
  tell<N extends keyof Theirs & string>(name: N, args: Parameters<Theirs[N]>): void;
  /** Rejects all that still waits, and all that is asked from now on. */
  end(why: string): void;
}

/** Ties two threads together: each may ask the other for the acts that it offers. */
export function makeLink<Theirs extends Acts>(
  port: Pick<Worker | MessagePort, 'postMessage' | 'on'>,
  ours: Acts,
): Link<Theirs> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(cause: Error): void }>();
  let count = 0;
  let ended: string | null = null;

  const post = (packet: Packet, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(packet, transfer);

  /** Not async: acts start in the order in which they were asked for. */
  function run(name: string, args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve) => {
      const act = ours[name] as ((...args: readonly unknown[]) => unknown) | undefined;
      if (!act) throw new Error(`no such act: ${name}`);
      resolve(act(...args));
    });
  }

  function settle(id: number): { resolve(value: unknown): void; reject(cause: Error): void } | undefined {
    const one = waiting.get(id);
    waiting.delete(id);
    return one;
  }

  port.on('message', (packet: Packet) => {
    if (packet.kind === 'answer') settle(packet.id)?.resolve(packet.value);
    else if (packet.kind === 'fault') settle(packet.id)?.reject(new Error(packet.text));
    else if (packet.kind === 'tell') void run(packet.name, packet.args);
    else
      run(packet.name, packet.args)
        .then((value) => post({ kind: 'answer', id: packet.id, value }))
        .catch((cause: unknown) =>
          post({ kind: 'fault', id: packet.id, text: cause instanceof Error ? cause.message : String(cause) }),
        );
  });

  return {
    ask: (name, args, transfer) =>
      new Promise((resolve, reject) => {
        if (ended !== null) return reject(new ThreadGone(ended));
        const id = ++count;
        post({ kind: 'ask', id, name, args }, transfer);
        waiting.set(id, { resolve: (value) => resolve(value as never), reject });
      }),
    tell: (name, args) => {
      if (ended === null) post({ kind: 'tell', name, args });
    },
    end: (why) => {
      ended ??= why;
      for (const { reject } of waiting.values()) reject(new ThreadGone(why));
      waiting.clear();
    },
  };
}
