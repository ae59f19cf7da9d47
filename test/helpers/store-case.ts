import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CASES = join(import.meta.dirname, '../fixtures/cases');

/** The folder of a case by its number. */
export function caseFolder(id: string): string {
  const name = readdirSync(CASES).find((one) => one.startsWith(`${id}-`));
  if (name === undefined) throw new Error(`no case ${id}`);
  return join(CASES, name);
}

export function caseText(id: string, file: string): string {
  return readFileSync(join(caseFolder(id), file), 'utf8');
}
