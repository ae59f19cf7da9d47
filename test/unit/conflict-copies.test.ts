import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { HEADS } from '../../electron/checkpoints/keys.js';
import { listAll } from '../../electron/listing.js';
import { keptWorld, NAME, OTHER } from '../helpers/kept-world.js';
import { recordFile } from '../helpers/store-folder.js';
import { refusalOf } from '../helpers/world.js';

it('C85 copies of a folder-sync program are one row of the list, with each copy and whether it differs; the run is not trusted', async () => {
  const { world, store, data, root, key } = await keptWorld();
  const own = recordFile(root, HEADS, `klieo:local:1:${OTHER}`, 1);
  const stem = own.slice(0, -'.json'.length);
  copyFileSync(own, `${stem} (1).json`);
  copyFileSync(recordFile(root, HEADS, NAME, 1), `${stem}.sync-conflict-20260302-100237-ABCDEF7.json`);
  copyFileSync(own, `${stem} (Reviewer B's conflicted copy 2026-03-02).json`);
  copyFileSync(own, join(dirname(own), 'desktop.ini'));
  const rows = await listAll(store, world.ports, data, { ended: false });
  const copies = rows.filter(({ note }) => note.includes('conflicting copies'));
  expect(copies.map(({ runId, status }) => [runId.includes(OTHER), status])).toEqual([[true, 'unreadable']]);
  expect(copies[0]?.note).toContain('conflicting copies (3)');
  expect(copies[0]?.note.match(/its bytes are those of revision 1/g)).toHaveLength(2);
  expect(copies[0]?.note).toContain('those of no revision here');
  // No second row that could be approved, and no decision on it.
  expect(rows.filter(({ runId }) => runId.includes(OTHER))).toHaveLength(1);
  await expect(world.decide({ ...key, runId: OTHER }, ['approve']).then(refusalOf)).rejects.toThrow(/copy|copies/);
});
