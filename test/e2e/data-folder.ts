import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { z } from 'zod';
import type { Settings } from '../../shared/settings.js';
import type { Folders } from './fixture.js';

/**
 * Settings as the window would have saved them, before a start: a named reviewer, no undo window, and the selection
 * stays where it was, so that what came of a decision can be seen.
 */
export function writeSettings(folders: Folders, more: z.input<typeof Settings> = {}): void {
  mkdirSync(folders.data, { recursive: true, mode: 0o700 });
  const settings = { reviewer: 'Ada', undoSeconds: 0, selectNextAfterDecision: false, ...more };
  writeFileSync(join(folders.data, 'settings.json'), JSON.stringify({ settings }), { mode: 0o600 });
}

/** Puts a record into the inbox as an agent does: written aside, published by rename. `source` is a folder of it. */
export function publish(folders: Folders, name: string, content: string | Uint8Array, source = ''): void {
  const inbox = join(folders.data, 'inbox', source);
  mkdirSync(inbox, { recursive: true, mode: 0o700 });
  writeFileSync(join(inbox, `.${name}.tmp`), content);
  renameSync(join(inbox, `.${name}.tmp`), join(inbox, name));
}

/** Every file below `folder` with its digest, but for what `leaveOut` names: folders of scratch and of the index. */
export function treeOf(folder: string, leaveOut: readonly string[] = ['tmp', 'idx']): Record<string, string> {
  const found: [string, string][] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name));
    if (!entry.isFile() || path.split('/').some((part) => leaveOut.includes(part))) continue;
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex');
    found.push([path, digest]);
  }
  return Object.fromEntries(found.sort());
}
