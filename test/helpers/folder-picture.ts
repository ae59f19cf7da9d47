import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What lies below a folder: each path with the time of its last change and a digest of its bytes. `skip` and all below it are left out. */
export function pictureOf(folder: string, skip: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ path }) => path !== skip && !path.startsWith(`${skip}/`))
    .map(({ entry, path }) => {
      const holds = entry.isFile()
        ? createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16)
        : 'no file';
      return `${path} ${holds} ${statSync(path).mtimeMs}`;
    })
    .sort();
}
