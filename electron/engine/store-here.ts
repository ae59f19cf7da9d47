import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RECORDS, STORE_FILE } from '../store/volume.js';

/** True when a store lies in this folder, also one that lost its STORE.json: opening it makes nothing new. */
export async function isStoreHere(folder: string): Promise<boolean> {
  if ((await namesIn(folder)).includes(STORE_FILE)) return true;
  return (await namesIn(join(folder, RECORDS))).length > 0;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
