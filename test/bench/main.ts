import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bulkRows } from './bulk-rows.js';
import { domainRows } from './domain-rows.js';
import { Floor } from './floor.js';
import { keepRows } from './keep-rows.js';
import { processRows } from './process-rows.js';
import { closing, report } from './report.js';
import { scaleRows } from './scale-rows.js';
import { filledStore } from './world.js';
import { writeRows } from './write-rows.js';

/**
 * The store against what the disk can do, as ratios within one run. `ROUNDS` and `KEYS` make it shorter or longer; groups
 * of rows may be named as arguments.
 */
const rounds = Number(process.env['ROUNDS'] ?? 300);
const keys = Number(process.env['KEYS'] ?? 100_000);
const groups = process.argv.slice(2);
const wanted = (group: string): boolean => groups.length === 0 || groups.includes(group);

const start = performance.now();
const root = mkdtempSync(join(process.env['HOLDPOINT_BENCH_FOLDER'] ?? tmpdir(), 'holdpoint-bench-'));
try {
  const floor = new Floor(root);
  if (wanted('write')) await writeRows(root, floor, rounds);
  if (wanted('bulk')) await bulkRows(join(root, 'bulk'));
  if (wanted('process')) await processRows(join(root, 'contended'));
  const filled = async (name: string, count: number): Promise<string> => {
    const folder = join(root, name);
    mkdirSync(folder, { mode: 0o700 });
    report({ name: `writing ${count} runs as files`, value: await filledStore(folder, count), unit: 's' });
    return folder;
  };
  if (wanted('keep')) await keepRows(join(root, 'kept'), keys);
  if (wanted('scale') || wanted('domain')) {
    const large = await filled('large', keys);
    if (wanted('scale')) {
      const counts = { small: Math.ceil(keys / 100), middle: Math.ceil(keys / 10), large: keys };
      const folders = {
        small: await filled('small', counts.small),
        middle: await filled('middle', counts.middle),
        large,
      };
      await scaleRows(folders, counts);
    }
    if (wanted('domain')) await domainRows(large, floor, rounds);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
if (!closing((performance.now() - start) / 1000)) process.exitCode = 1;
process.exit();
