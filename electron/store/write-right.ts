import { join } from 'node:path';
import { fillBallast } from './ballast.js';
import { CasIndeterminate, StoreReadOnly } from './contract.js';
import { asking, attempt, errorCode, isOutOfHandles, isOutOfSpace, writing } from './faults.js';
import { homeHere, whyNotHome } from './home.js';
import { lookAtTarget } from './move-target.js';
import { type Moved, whyMoved } from './moved.js';
import { probeFineTimes, probeFolderSync, probePublish } from './probe.js';
import { readStoreFile, replaceStoreFile, type StoreFile, storeFileStamp } from './store-file.js';
import { sweepTemps } from './temps.js';
import { exists, makeFolder, PAYLOADS, SNAPSHOTS, STORE_FILE, syncFolder, TEMPS, type Volume } from './volume.js';

/** Why nothing may be written: another home (only a take-over ends that), or the disk (asked again at each write). */
type Refusal = { kind: 'home' | 'disk'; reason: string };

/** Why nothing is written into a store that was opened with `readOnly`, when nothing else stands against it. */
export const LOOKED_AT = 'it was opened to be read only';
const MISSING = 'its STORE.json is missing';
const ANOTHER = 'another store lies in its place; put the right one back, or close this and open it again';
const SETTLED_MS = 60_000;

/** Whether this process may write, asked before every write: the folder may have a new home since it was opened. */
export class WriteRight {
  readonly #volume: Volume;
  /** Null: whoever opened it wants nothing written. */
  readonly #ballastBytes: number | null;
  #file: StoreFile | null;
  /** The store that was opened; no other one is ever written, whatever comes to lie in the folder. */
  #storeId: string | null;
  #stamp: string | null = null;
  #refusal: Refusal | null = null;

  constructor(volume: Volume, file: StoreFile | null, ballastBytes: number | null) {
    this.#volume = volume;
    this.#ballastBytes = ballastBytes;
    this.#file = file;
    this.#storeId = file?.storeId ?? null;
    this.#load();
  }

  get storeId(): string {
    return this.#storeId ?? '';
  }

  /** Why the store is read-only, in words, or null. */
  get reason(): string | null {
    return this.#refusal?.reason ?? null;
  }

  /** Throws StoreReadOnly when nothing may be written. */
  ensure(): void {
    if (this.#currentStamp() !== this.#stamp) {
      this.#file = readStoreFile(this.#volume.disk, this.#volume.root);
      this.#load();
    } else if (this.#refusal?.kind === 'disk') {
      this.#load();
    }
    if (this.#refusal !== null) {
      throw new StoreReadOnly(`The store ${this.#volume.root} is read-only: ${this.#refusal.reason}.`);
    }
  }

  /**
   * Asked after a write was published and before it is acknowledged: a store that was given another home meanwhile may have
   * been copied without it. Throws CasIndeterminate, also when the disk cannot say.
   */
  confirm(): void {
    try {
      if (this.#currentStamp() !== this.#stamp) this.ensure();
    } catch (error) {
      throw new CasIndeterminate(
        `The store ${this.#volume.root} changed while this was written, whether it holds is not known: ${String(error)}`,
        { cause: error },
      );
    }
  }

  /** Makes this folder on this machine the home of the store, by a named person's act (H16). */
  takeOver(name: string): void {
    const volume = this.#volume;
    if (this.#ballastBytes === null) throw new StoreReadOnly(`The store ${volume.root} was opened to be read only.`);
    const before = readStoreFile(volume.disk, volume.root);
    if (this.#isOther(before)) throw new StoreReadOnly(`The store ${volume.root} is read-only: ${ANOTHER}.`);
    if (before?.moved !== undefined && !this.#isLost(before, before.moved))
      throw new StoreReadOnly(`The store ${volume.root} cannot be taken over: ${whyMoved(before.moved)}.`);
    this.#makeFolders();
    const publish = probePublish(volume);
    if (publish === null) throw new StoreReadOnly(`The volume of ${volume.root} can publish no file exclusively.`);
    volume.publish = publish;
    volume.folderSync = probeFolderSync(volume);
    const turn = { name, at: new Date(volume.now()).toISOString(), from: before?.home ?? null };
    const { moved: _, ...described } = before ?? { holdpoint: 'store', format: 1, storeId: crypto.randomUUID() };
    const file: StoreFile = {
      ...described,
      home: homeHere(volume.host, volume.disk.stat(volume.root)),
      publish,
      folderSync: volume.folderSync,
      takenOver: [...(before?.takenOver ?? []), turn],
    };
    replaceStoreFile(volume, file);
    this.#file = readStoreFile(volume.disk, volume.root);
    this.#storeId = file.storeId;
    this.#load();
  }

  #currentStamp(): string | null {
    try {
      return storeFileStamp(this.#volume.disk, this.#volume.root);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      return null;
    }
  }

  #load(): void {
    const { disk, host, root } = this.#volume;
    const file = this.#file;
    // Without the store that was opened, nothing is read as if it were an empty one.
    this.#volume.unmarked = file === null && this.#storeId === null;
    if (file === null) {
      if (this.#storeId === null) this.#volume.homes = null;
      this.#stamp = null;
      this.#refusal = { kind: 'home', reason: exists(disk, root) ? MISSING : 'its folder has vanished; put it back' };
      return;
    }
    this.#stamp = storeFileStamp(disk, root);
    if (this.#isOther(file)) {
      this.#refusal = { kind: 'home', reason: ANOTHER };
      return;
    }
    this.#storeId ??= file.storeId;
    this.#volume.publish = file.publish;
    this.#volume.folderSync = file.folderSync;
    this.#volume.homes = homesOf(file);
    if (file.moved !== undefined) {
      this.#refusal = { kind: 'home', reason: whyMoved(file.moved) };
      return;
    }
    const elsewhere =
      whyNotHome(
        file.home,
        host,
        asking(root, () => disk.stat(root)),
      ) ?? (this.#ballastBytes === null ? LOOKED_AT : null);
    this.#refusal = elsewhere === null ? this.#prepare() : { kind: 'home', reason: elsewhere };
  }

  /** A move that nobody can end any more: a person who says so by name may go on here (H16). */
  #isLost({ storeId }: StoreFile, moved: Moved): boolean {
    return moved.state === 'publishing' && lookAtTarget(this.#volume.disk, moved, storeId) === 'unseen';
  }

  #isOther(file: StoreFile | null): boolean {
    return file !== null && this.#storeId !== null && file.storeId !== this.#storeId;
  }

  /** Makes the folder ready to be written, or says why it cannot be. */
  #prepare(): Refusal | null {
    const volume = this.#volume;
    const error = attempt(() => {
      this.#makeFolders();
      const able = probePublish(volume);
      const enough = able === 'link' || able === volume.publish;
      if (!enough) throw new StoreReadOnly('the volume cannot publish a file exclusively any more');
      this.#settleStoreFile();
    });
    // A full disk, or too many open files, is for each write to tell: deletes may still go through.
    const passing = isOutOfSpace(error) || (error instanceof Error && isOutOfHandles(error.cause));
    if (error !== null && !passing) {
      return { kind: 'disk', reason: error instanceof Error ? error.message : String(error) };
    }
    volume.fineTimes = probeFineTimes(volume);
    sweepTemps(volume);
    fillBallast(volume, this.#ballastBytes ?? 0);
    return null;
  }

  /** A folder-sync program may have left some of them out. */
  #makeFolders(): void {
    const { disk, root } = this.#volume;
    for (const folder of [TEMPS, SNAPSHOTS, PAYLOADS]) {
      writing('make the folder', join(root, folder), () => makeFolder(disk, join(root, folder)));
    }
  }

  /** The process that made a young STORE.json may not have synced its name yet. */
  #settleStoreFile(): void {
    const volume = this.#volume;
    const { mtimeNs } = volume.disk.lstat(join(volume.root, STORE_FILE));
    if (volume.now() - Number(mtimeNs / 1_000_000n) < SETTLED_MS) syncFolder(volume, volume.root);
  }
}

export function homesOf(file: StoreFile): ReadonlySet<string> | null {
  const homes = new Set([file.home.host]);
  for (const { from } of file.takenOver) {
    if (from === null) return null;
    homes.add(from.host);
  }
  return homes;
}
