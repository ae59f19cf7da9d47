import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { accepted, type Outcome, refused } from '../shared/refusal.js';
import { type Identity, isAlive, thisProcess } from './identity.js';

/** Which window runs inbox, GC timer and recovery of a data folder, and dispatches "here" (H11). */
const Owner = z.strictObject({
  v: z.literal(1),
  /** Tells this start from every other. */
  id: z.string(),
  host: z.string(),
  boot: z.string(),
  pid: z.number().int(),
  /** When the process was started, as its system counts it; null where it does not tell. */
  processStart: z.string().nullable(),
  name: z.string(),
  /** RFC 3339, UTC. */
  startedAt: z.string(),
});
export type Owner = z.infer<typeof Owner>;

export interface Ownership {
  owner: Owner;
  /** Takes the record away, if it is still this one. Never throws. */
  release(): Promise<void>;
}

/** Others may be taking over at the same moment; then it is looked at again. */
const TRIES = 10;

/**
 * Makes this process the owner of a data folder. Refused while another one lives, with its process and since when; one
 * that is gone is taken over. `evenElsewhere`: a person says that the other machine's window is gone. `instead`:
 * the record of an earlier part of this same process, which is taken over though the process lives. The record is advice: it
 * keeps two windows from doing the same work, and nothing that must not happen twice relies on it (H11).
 */
export async function takeOwnership(
  dataFolder: string,
  me: Identity = thisProcess('window'),
  options: { evenElsewhere?: boolean; instead?: string | null } = {},
): Promise<Outcome<Ownership>> {
  const path = join(dataFolder, 'owner.json');
  const owner: Owner = {
    v: 1,
    id: randomUUID(),
    host: me.host,
    boot: me.boot,
    pid: me.pid,
    processStart: me.start ?? null,
    name: me.name,
    startedAt: new Date().toISOString(),
  };
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (await createRecord(path, owner)) return accepted({ owner, release: () => release(path, owner.id) });
    const text = await textOf(path);
    if (text === null) continue;
    const other = parse(text);
    if (other !== null && other.id !== options.instead) {
      const alive = lives(other, me);
      if (alive === 'yes' || (alive === 'unknown' && !options.evenElsewhere)) return refusedBy(other, alive);
    }
    await setAside(path, text);
  }
  return refused('not_allowed', 'Other windows kept starting on this data folder at the same moment. Try again.');
}

/** The owner that the record names, or null when there is none or it cannot be read. */
export async function ownerOf(dataFolder: string): Promise<Owner | null> {
  const text = await textOf(join(dataFolder, 'owner.json'));
  return text === null ? null : parse(text);
}

/** Whether an owner lives. A process number that was given to somebody else since does not count. */
export function lives(owner: Owner, here: Identity = thisProcess('')): 'yes' | 'no' | 'unknown' {
  return isAlive({ ...owner, start: owner.processStart }, here);
}

function refusedBy(other: Owner, alive: 'yes' | 'unknown'): Outcome<never> {
  const facts = { host: other.host, pid: other.pid, since: other.startedAt, alive };
  const who = `${other.name} (process ${other.pid} on ${other.host}, since ${other.startedAt})`;
  return alive === 'yes'
    ? refused('not_allowed', `This data folder is in use by another window: ${who}. Close that one first.`, facts)
    : refused(
        'not_allowed',
        `This data folder was opened on another machine: ${who}. If that window is closed, remove owner.json from the data folder.`,
        facts,
      );
}

/** Publishes the record whole, or not at all when there is one already. */
async function createRecord(path: string, owner: Owner): Promise<boolean> {
  const aside = `${path}.${owner.id}.tmp`;
  const text = `${JSON.stringify(owner, null, 2)}\n`;
  await writeFile(aside, text, { flag: 'wx', mode: 0o600 });
  try {
    await link(aside, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // No hard links on this disk: whoever reads a half-written record takes it for a broken one; it is advice only.
    return await createPlainly(path, text);
  } finally {
    await rm(aside, { force: true });
  }
}

async function createPlainly(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a dead owner's record out of the way; when it was another's by then, that one goes back. */
async function setAside(path: string, text: string): Promise<void> {
  const aside = `${path}.${randomUUID()}.tmp`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const moved = await textOf(aside);
  if (moved !== null && moved !== text) {
    try {
      await link(aside, path);
    } catch (error) {
      // Somebody became the owner in between, or the disk knows no links: the record is made anew by whoever tries next.
      if (codeOf(error) === '') throw error;
    }
  }
  await rm(aside, { force: true });
}

async function release(path: string, id: string): Promise<void> {
  try {
    const text = await textOf(path);
    if (text !== null && parse(text)?.id === id) await rm(path, { force: true });
  } catch {
    // A record that stays names a process that is gone: the next window takes it over.
  }
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function parse(text: string): Owner | null {
  try {
    return Owner.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
