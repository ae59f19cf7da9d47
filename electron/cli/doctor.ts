import { type DataFolder, locateDataFolder, openDataFolder } from '../data-folder.js';
import { examine } from '../engine/doctor.js';
import { exportUnreadable } from '../engine/export-unreadable.js';
import type { DoctorReport } from '../engine/finding.js';
import { type Mended, mendAll, plannedMends, unreadableIn } from '../engine/mend.js';
import { type Call, type Command, maybeText, sayRefused } from './command.js';
import { EXIT, type Exit } from './exit.js';
import { write } from './io.js';
import { toJson } from './json.js';
import { oneLine } from './text.js';

export const doctorCommand: Command = {
  name: 'doctor',
  usage: 'doctor [--mend] [--export FOLDER]',
  does: 'checks every file of the data folder and changes nothing; --mend removes stale temporary files, a wrong index and old orphan payloads, never a record; --export copies out what cannot be read',
  takes: [0, 0],
  options: { mend: { type: 'boolean' }, export: { type: 'string' } },
  async run(call) {
    // Not through the engine: a data folder that is missing or broken is what the doctor is asked about.
    const located = locateDataFolder(call.data);
    if (!located.ok) return sayRefused(call, located.refusal);
    const folder = openDataFolder(located.value, { make: false });
    if (!folder.ok) return sayRefused(call, folder.refusal);
    const report = await examine(folder.value);
    const out = call.json ? null : (text: string) => write(call.io.stdout, `${text}\n`);
    await out?.(inWords(report));
    const to = maybeText(call, 'export');
    const exported = to === undefined ? null : exportUnreadable(folder.value, unreadableIn(report), to);
    if (exported?.ok === false) return sayRefused(call, exported.refusal);
    if (exported?.ok)
      await out?.(
        `${exported.value.files.length} files that cannot be read were copied to ${oneLine(exported.value.folder)}, with reasons.json.`,
      );
    const mended = call.values['mend'] === true ? await mend(call, folder.value, report, out) : null;
    if (call.json)
      await write(
        call.io.stdout,
        `${toJson({ ...report, ...(mended && { mended }), ...(exported?.ok && { exported: exported.value }) })}\n`,
      );
    return exitOf(report, mended);
  },
};

const exitOf = (report: DoctorReport, mended: Mended[] | null): Exit => {
  const left = report.findings.filter(
    ({ level, file, mend: how }) =>
      level === 'problem' && !(how && mended?.some((one) => one.file === file && one.failed === null)),
  );
  return left.length === 0 ? EXIT.ok : EXIT.store;
};

async function mend(
  _call: Call,
  folder: DataFolder,
  report: DoctorReport,
  out: ((text: string) => Promise<void>) | null,
): Promise<Mended[]> {
  const planned = plannedMends(report);
  await out?.(planned.length === 0 ? 'There is nothing that may be mended.' : `${planned.length} to mend:`);
  return mendAll(folder, planned, async ({ mend: how, file, done }) => {
    if (done === null) await out?.(`  ${WORDS[how]} ${oneLine(file)} …`);
    else await out?.(`  ${done.failed === null ? 'done' : `not done: ${oneLine(done.failed)}`}`);
  });
}

const WORDS = {
  temps: 'removing the stale temporary file',
  index: 'removing the index, which is made anew from the files:',
  payloads: 'removing the payload that no record names:',
};

const MARK = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' };
/** So many of a kind are told; all of them with --json. */
const MOST = 50;

function inWords({ dataFolder, findings, ok }: DoctorReport): string {
  const counts = new Map<string, number>();
  const lines = findings.flatMap(({ level, what, text, file, advice }) => {
    const count = (counts.get(`${level} ${what}`) ?? 0) + 1;
    counts.set(`${level} ${what}`, count);
    if (count > MOST) return [];
    return [
      `${MARK[level]} ${what}: ${oneLine(text)}${file === undefined ? '' : ` [${oneLine(file)}]`}`,
      ...(advice === undefined ? [] : [`           ${advice}`]),
    ];
  });
  const more = [...counts].flatMap(([kind, count]) =>
    count > MOST ? [`${kind}: and ${count - MOST} more (all of them with --json)`] : [],
  );
  return [
    `Data folder: ${oneLine(dataFolder.path)} (${oneLine(dataFolder.said)})`,
    ...lines,
    ...more,
    ok ? 'Everything can be read.' : 'There are problems; nothing was changed.',
  ].join('\n');
}
