import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../fixtures/cases');

/** The folder of one reported case, such as "C38". */
export function caseFolder(id: string): string {
  const name = readdirSync(FOLDER).find((one) => one.startsWith(`${id}-`));
  if (name === undefined) throw new Error(`there is no case ${id}`);
  return join(FOLDER, name);
}

export const caseFile = (id: string, file = 'checkpoint.json'): Buffer => readFileSync(join(caseFolder(id), file));
