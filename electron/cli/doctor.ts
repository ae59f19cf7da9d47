import { KEPT_WHOLE } from '../checkpoints/keys.js';
import { locateDataFolder, openDataFolder } from '../data-folder.js';
import { examine } from '../engine/doctor.js';
import type { DoctorReport } from '../engine/finding.js';
import { openStore } from '../store/file-store.js';
import type { FileStore } from '../store/opened-store.js';
import { type Command, sayRefused } from './command.js';
import { EXIT } from './exit.js';
import { write } from './io.js';
import { toJson } from './json.js';
import { oneLine } from './text.js';

export const doctorCommand: Command = {
  name: 'doctor',
  usage: 'doctor',
  does: 'checks the data folder and reads every record in it; mends nothing',
  takes: [0, 0],
  options: {},
  async run(call) {
    // Not through the engine: a data folder that is missing or broken is what the doctor is asked about.
    const located = locateDataFolder(call.data);
    if (!located.ok) return sayRefused(call, located.refusal);
    const folder = openDataFolder(located.value, { make: false });
    if (!folder.ok) return sayRefused(call, folder.refusal);
    let store: FileStore | null = null;
    const report = await examine(folder.value, async () => {
      store = await openStore(folder.value.store, { keepAll: KEPT_WHOLE });
      return store;
    });
    await (store as FileStore | null)?.close();
    await write(call.io.stdout, call.json ? `${toJson(report)}\n` : `${inWords(report)}\n`);
    return report.ok ? EXIT.ok : EXIT.store;
  },
};

const MARK = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' };

function inWords({ dataFolder, findings, ok }: DoctorReport): string {
  const lines = findings.map(({ level, what, text }) => `${MARK[level]} ${what}: ${oneLine(text)}`);
  return [
    `Data folder: ${oneLine(dataFolder.path)} (${oneLine(dataFolder.said)})`,
    ...lines,
    ok ? 'Everything can be read.' : 'There are problems; nothing was changed.',
  ].join('\n');
}
