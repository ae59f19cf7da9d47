import type { Refusal } from '../../shared/refusal.js';
import { dropNote, listRefused, noteRefused } from '../refused.js';
import type { InboxEvent } from './event.js';
import type { Found } from './listing.js';

/**
 * What stays in the inbox and why: one reason file each, told once and not at every look, also over restarts. A note
 * goes when the thing it speaks of does. That a note cannot be written stops nothing.
 */
export class Notes {
  readonly #dataFolder: string;
  readonly #tell: (event: InboxEvent) => void;
  /** By path below the inbox: the note's name, and what it said. */
  #said: Map<string, { file: string; text: string }> | null = null;

  constructor(dataFolder: string, tell: (event: InboxEvent) => void) {
    this.#dataFolder = dataFolder;
    this.#tell = tell;
  }

  async say(one: Found, refusal: Refusal): Promise<void> {
    const said = await this.#all();
    if (said.get(one.left)?.text === refusal.text) return;
    const { name, source, left } = one;
    let file = '';
    try {
      file = await noteRefused(this.#dataFolder, { name, left, size: one.stat?.size ?? null, refusal, source });
    } catch {
      // A full disk keeps no note; the event still tells the window.
    }
    said.set(left, { file, text: refusal.text });
    if (refusal.code === 'unreadable') this.#tell({ kind: 'refused', name, source, file, left: true, refusal });
    else this.#tell({ kind: 'waits', name, source, refusal });
  }

  async drop(left: string): Promise<void> {
    const said = await this.#all();
    const note = said.get(left);
    if (note === undefined) return;
    said.delete(left);
    await dropNote(this.#dataFolder, note.file);
  }

  /** Takes back every note whose thing is not in the inbox any more. */
  async dropOthers(here: ReadonlySet<string>): Promise<void> {
    for (const left of [...(await this.#all()).keys()]) if (!here.has(left)) await this.drop(left);
  }

  async #all(): Promise<Map<string, { file: string; text: string }>> {
    if (this.#said === null) {
      const notes = await listRefused(this.#dataFolder);
      this.#said = new Map(
        notes.flatMap(({ file, reason }) => (reason.left === null ? [] : [[reason.left, { file, text: reason.text }]])),
      );
    }
    return this.#said;
  }
}
