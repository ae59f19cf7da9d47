import type { Disk } from '../../electron/store/disk.js';
import { errno } from './store-memory-disk.js';

/** The calls of a disk that can fail. */
export const CALLS = [
  'openNew',
  'openRead',
  'openFolder',
  'write',
  'read',
  'fsync',
  'close',
  'fstat',
  'stat',
  'lstat',
  'link',
  'unlink',
  'rename',
  'mkdir',
  'rmdir',
  'readdir',
] as const;
export type Call = (typeof CALLS)[number];

export interface Fault {
  call: Call;
  /** Which of these calls fails first, counted from 1. */
  nth: number;
  code: string;
  /** How many fail, from that one on. */
  times: number;
  /** The deed is done all the same: the answer was lost. */
  done?: boolean;
}

/** A disk on which chosen calls fail. */
export class FaultDisk {
  readonly disk: Disk;
  /** How often the fault has struck. */
  struck = 0;
  #fault: Fault | null = null;
  #count = 0;

  constructor(disk: Disk) {
    const failing = { ...disk };
    const wrap = (call: Call) => {
      const original = disk[call] as (...args: unknown[]) => unknown;
      Object.assign(failing, { [call]: (...args: unknown[]) => this.#run(call, () => original(...args)) });
    };
    for (const call of CALLS) wrap(call);
    this.disk = failing;
  }

  arm(fault: Fault): void {
    this.#fault = fault;
    this.#count = 0;
  }

  /** The disk is well again. */
  heal(): void {
    this.#fault = null;
  }

  #run(call: Call, act: () => unknown): unknown {
    const fault = this.#fault;
    if (fault?.call !== call) return act();
    this.#count += 1;
    if (this.#count < fault.nth || this.#count >= fault.nth + fault.times) return act();
    this.struck += 1;
    if (fault.done === true) act();
    throw errno(fault.code);
  }
}
