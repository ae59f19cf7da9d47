import type { Taken } from '../../shared/ipc.js';
import { call as ask } from '../bridge.js';
import { useQueue } from '../queue/queue-store.js';
import { useSettings } from '../settings/settings-store.js';
import { text } from '../text.js';
import { note, noteRefusal } from './toast-store.js';

/** So many refusals are said with their reasons; the rest is counted. */
const NAMED = 2;

/** One message for everything that came in at once. */
async function report(taken: readonly Taken[]): Promise<void> {
  const refused = taken.filter((one) => one.outcome === 'refused');
  const counts = { taken_in: 0, already_known: 0, refused: 0 };
  for (const one of taken) counts[one.outcome] += 1;
  const [only] = taken;
  const words =
    only && taken.length === 1
      ? text.intake.outcome(only)
      : text.intake.summary(counts, refused.slice(0, NAMED), Math.max(0, refused.length - NAMED));
  if (words !== '') note(words, refused.length > 0 ? 'refused' : 'ok');
  // Asked for by a person: what came is shown, and not only told.
  await Promise.all([useQueue.getState().merge(), useSettings.getState().loadHealth()]);
}

/** Takes in what was dropped on the window. What cannot be read as a file is refused with words. */
export async function takeDropped(transfer: DataTransfer): Promise<void> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = [...transfer.files];
  if (files.length === 0) {
    note(text.intake.noFile, 'refused');
    return;
  }
  const taken: Taken[] = [];
  for (const [i, file] of files.entries())
    taken.push(entries[i]?.isDirectory ? refusedFile(file, text.intake.folder) : await takeFile(file));
  await report(taken);
}

async function takeFile(file: File): Promise<Taken> {
  try {
    const reply = await ask('intake:bytes', file.name, new Uint8Array(await file.arrayBuffer()));
    return reply.ok ? reply.value : refusedFile(file, reply.refusal.text);
  } catch (error) {
    return refusedFile(file, text.intake.unreadable(String(error)));
  }
}

const refusedFile = ({ name }: File, why: string): Taken => ({ outcome: 'refused', id: null, name, text: why });

/** Opens files by the system's own dialog. */
export async function pickFiles(): Promise<void> {
  const reply = await ask('intake:pick');
  if (reply.ok) await report(reply.value);
  else noteRefusal(reply.refusal);
}

export async function addSamples(): Promise<void> {
  const reply = await ask('samples:add');
  if (reply.ok) await report(reply.value);
  else noteRefusal(reply.refusal);
}
