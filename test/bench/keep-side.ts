import { join } from 'node:path';
import { Sealer } from '../../electron/checkpoints/seals.js';
import { openDataFolder } from '../../electron/data-folder.js';
import { examine } from '../../electron/engine/doctor.js';
import { writeWhole } from '../../electron/keep/export-history.js';
import { importBackup } from '../../electron/keep/import-backup.js';
import { makeBackup } from '../../electron/keep/make-backup.js';
import { verifyHistory } from '../../electron/keep/verify-history.js';
import { lookAt } from '../../electron/store/audit.js';
import { benchPorts, unwrap } from './runs.js';
import { MB, open } from './world.js';

/** One look at a whole store, alone in its process. */
const [look = '', folder = ''] = process.argv.slice(2);
const root = join(folder, 'store');
const file = join(folder, 'everything.backup');

const LOOKS: Record<string, () => Promise<string>> = {
  async seal() {
    const store = await open(root);
    const count = await new Sealer(store, benchPorts()).seal();
    await store.close();
    return `${count} sealed`;
  },
  async verify() {
    const { ok, revisions, seals, broken } = await verifyHistory(lookAt(root));
    return `${ok ? 'holds' : (broken[0]?.what ?? '')}, ${revisions} revisions, ${seals} seals`;
  },
  async doctor() {
    const opened = unwrap(openDataFolder({ path: folder, rule: 'option', said: '--data' }, { make: true }));
    const { ok, findings } = await examine(opened);
    return `${ok ? 'well' : (findings.find(({ level }) => level === 'problem')?.text ?? '')}, ${findings.length} findings`;
  },
  async backup() {
    let said = '';
    const plan = { by: 'bench', madeAt: new Date().toISOString(), chosen: null, dataFolder: folder };
    const parts = makeBackup(lookAt(root), plan, ({ records, payloads }) => {
      said = `${records} records, ${payloads} payloads`;
    });
    await writeWhole(file, parts, { replace: true });
    return said;
  },
  /** What bringing it in would do: everything is here, and each run is compared. */
  async plan() {
    const store = await open(root);
    const options = { dryRun: true, update: new Set<string>(), by: 'bench' };
    const { rows } = unwrap(await importBackup(store, benchPorts(), file, options));
    await store.close();
    return `${rows.filter(({ act }) => act === 'none').length} of ${rows.length} the same`;
  },
};

const before = process.memoryUsage().rss;
const start = performance.now();
const said = await LOOKS[look]?.();
const seconds = (performance.now() - start) / 1000;
const megabytes = process.resourceUsage().maxRSS / 1024 - before / MB;
process.stdout.write(JSON.stringify({ seconds, megabytes, said }));
