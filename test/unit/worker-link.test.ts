import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { makeLink, ThreadGone } from '../../electron/worker/link.js';

type Sums = {
  add(a: number, b: number): Promise<number>;
  fail(): Promise<void>;
  never(): Promise<void>;
  size(b: Uint8Array): number;
};

function two(): { here: ReturnType<typeof makeLink<Sums>>; heard: string[]; close(): void } {
  const { port1, port2 } = new MessageChannel();
  const heard: string[] = [];
  const here = makeLink<Sums>(port1, { hear: (text: string) => heard.push(text) });
  const there = makeLink<{ hear(text: string): void }>(port2, {
    add: async (a: number, b: number) => {
      there.tell('hear', [`adds ${a} and ${b}`]);
      return a + b;
    },
    fail: () => {
      throw new Error('no more numbers');
    },
    never: () => new Promise(() => undefined),
    size: (bytes: Uint8Array) => bytes.length,
  });
  return {
    here,
    heard,
    close: () => {
      port1.close();
      port2.close();
    },
  };
}

it('each side answers what the other asks, and hears what it is told', async () => {
  const { here, heard, close } = two();
  expect(await Promise.all([here.ask('add', [1, 2]), here.ask('add', [3, 4])])).toEqual([3, 7]);
  expect(heard).toEqual(['adds 1 and 2', 'adds 3 and 4']);
  close();
});

it('a failure comes back in the words of the side that failed', async () => {
  const { here, close } = two();
  await expect(here.ask('fail', [])).rejects.toThrow(/^no more numbers$/);
  await expect(here.ask('nothing' as 'fail', [])).rejects.toThrow('no such act: nothing');
  close();
});

it('bytes that are handed over are moved, not copied', async () => {
  const { here, close } = two();
  const bytes = new Uint8Array(1024);
  expect(await here.ask('size', [bytes], [bytes.buffer])).toBe(1024);
  expect(bytes.byteLength).toBe(0);
  close();
});

it('what waits when the other side ends is rejected as such, and nothing is asked again', async () => {
  const { here, close } = two();
  const waits = here.ask('never', []);
  here.end('it was killed');
  await expect(waits).rejects.toThrow(ThreadGone);
  await expect(here.ask('add', [1, 2])).rejects.toThrow('it was killed');
  close();
});
