import type { Taken } from '../../shared/ipc.js';
import { call as ask } from '../bridge.js';
import { useQueue } from '../queue/queue-store.js';
import { useSettings } from '../settings/settings-store.js';
import { text } from '../text.js';
import { note, noteRefusal } from './toast-store.js';

async function report(taken: readonly Taken[]): Promise<void> {
  for (const one of taken) note(text.intake.outcome(one), one.outcome === 'refused' ? 'refused' : 'ok');
  await Promise.all([useQueue.getState().load(), useSettings.getState().loadHealth()]);
}

/** Takes in what was dropped on the window. What cannot be read as a file is refused with words. */
export async function takeDropped(transfer: DataTransfer): Promise<void> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = [...transfer.files];
  if (files.length === 0) {
    note(text.intake.noFile, 'refused');
    return;
  }
  for (const [i, file] of files.entries()) {
    if (entries[i]?.isDirectory) {
      note(text.intake.folder(file.name), 'refused');
      continue;
    }
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const reply = await ask('intake:bytes', file.name, bytes);
      if (reply.ok) await report([reply.value]);
      else noteRefusal(reply.refusal);
    } catch (error) {
      note(text.intake.unreadable(file.name, String(error)), 'refused');
    }
  }
}

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
