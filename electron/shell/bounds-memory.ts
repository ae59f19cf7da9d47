import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Bounds } from './bounds.js';

const Saved = z.strictObject({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(1),
  height: z.number().int().min(1),
  maximized: z.boolean(),
});
export type SavedWindow = z.infer<typeof Saved>;

/** Null when the window was never closed here, or the file cannot be used: a window's place is not worth a question. */
export function recallWindow(file: string): SavedWindow | null {
  try {
    return Saved.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/** Replaces the file as a whole. What goes wrong is told to `log` and changes nothing else. */
export function rememberWindow(
  file: string,
  bounds: Required<Bounds>,
  maximized: boolean,
  log: (text: string) => void,
): void {
  const { x, y, width, height } = bounds;
  try {
    writeFileSync(`${file}.tmp`, JSON.stringify({ x, y, width, height, maximized }));
    renameSync(`${file}.tmp`, file);
  } catch (cause) {
    log(`the window's place was not saved: ${String(cause)}`);
  }
}
