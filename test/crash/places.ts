import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SteadyPlan } from './acks.js';
import { checkStore } from './check-store.js';
import { noPromises } from './promised.js';
import { startSteady } from './steady-writer.js';
import { run, tryRun } from './tools.js';

const NOBODY = 65534;

/** A place where a store cannot go on as usual, and how that ends. */
interface Place {
  name: string;
  /** What stands before the writer's command: a limit, another user. */
  through?: readonly string[];
  withoutHandles?: true;
  /** What at least one refusal must say. */
  says: RegExp;
  /** Makes the folder that the store lies in; the mount is taken away afterwards. */
  prepare(mount: string): void;
  /** The store is open: from here on something is wrong. */
  spoil?(mount: string, store: string): void;
  mend?(mount: string, store: string): void;
}

const tmpfs = (options: string) => (mount: string) => run('mount', '-t', 'tmpfs', '-o', options, 'none', mount);
const folder = (_mount: string) => undefined;
const limited = (limits: string): readonly string[] => ['bash', '-c', `${limits}; exec "$0" "$@"`];
const fill = (mount: string) => tryRun('dd', 'if=/dev/zero', `of=${mount}/filling`, 'bs=4096');
const takeInodes = (mount: string) => {
  try {
    for (let n = 0; ; n += 1) writeFileSync(join(mount, `inode ${n}`), '');
  } catch {
    // There are no more: that is the point.
  }
};
const free = (mount: string) => {
  for (const name of readdirSync(mount).filter((one) => one !== 'store')) rmSync(join(mount, name));
};
const modes = (store: string, folders: string, mode: string) =>
  run('bash', '-c', `find ${store} -type d ${folders} -exec chmod ${mode} {} +`);

const PLACES: readonly Place[] = [
  { name: 'a full disk', says: /no space left \(ENOSPC\)/, prepare: tmpfs('size=4m'), spoil: fill, mend: free },
  {
    name: 'a disk out of inodes',
    says: /no space left \(ENOSPC\)/,
    prepare: tmpfs('nr_inodes=700'),
    spoil: takeInodes,
    mend: free,
  },
  {
    name: 'a disk that was made read-only',
    says: /read-only/,
    prepare: tmpfs('size=64m'),
    spoil: (mount) => run('mount', '-o', 'remount,ro', mount),
    mend: (mount) => run('mount', '-o', 'remount,rw', mount),
  },
  {
    name: 'a read-only bind mount',
    says: /read-only/,
    prepare: (mount) => run('mount', '--bind', mount, mount),
    spoil: (mount) => run('mount', '-o', 'remount,bind,ro', mount),
    mend: (mount) => run('mount', '-o', 'remount,bind,rw', mount),
  },
  {
    name: 'a process out of file handles',
    through: limited('ulimit -n 80'),
    withoutHandles: true,
    says: /too many files are open .*\(EMFILE\)/,
    prepare: folder,
  },
  {
    name: 'folders of which the rights were taken away',
    through: ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'],
    says: /no rights to write there \(EACCES\)/,
    prepare: (mount) => chownSync(mount, NOBODY, NOBODY),
    spoil: (_mount, store) => modes(store, '', '0555'),
    mend: (_mount, store) => modes(store, '', '0700'),
  },
  {
    name: 'a file system that takes bytes in part and then no more',
    through: limited('trap "" XFSZ; ulimit -f 16'),
    says: /the disk reported EFBIG/,
    prepare: folder,
  },
];

export interface Placed {
  places: number;
  refused: number;
  problems: string[];
}

/** Lets a writer meet each of these places with its store open, and go on when it is over, without a restart. */
export async function everyPlace(worker: string, progress: (words: string) => void): Promise<Placed> {
  const total: Placed = { places: 0, refused: 0, problems: [] };
  for (const place of PLACES) {
    const { refused, problems } = await onePlace(worker, place);
    total.places += 1;
    total.refused += refused;
    total.problems.push(...problems.map((problem) => `${place.name}: ${problem}`));
    progress(`${place.name}: ${refused} acts refused by name, ${problems.length === 0 ? 'went on' : 'MISSED'}`);
  }
  return total;
}

async function onePlace(worker: string, place: Place): Promise<{ refused: number; problems: string[] }> {
  const outer = mkdtempSync(join(tmpdir(), 'holdpoint-place-'));
  run('chmod', '0755', outer);
  const mount = join(outer, 'mount');
  mkdirSync(mount);
  const [root, ledger] = [join(mount, 'store'), join(outer, 'ledger.txt')];
  try {
    place.prepare(mount);
    writeFileSync(ledger, '', { mode: 0o666 });
    run('chmod', '0666', ledger);
    const writer = startSteady(worker, place.through);
    const promised = noPromises();
    const plan: SteadyPlan = {
      root,
      ledger,
      name: 'w',
      seed: 12,
      base: 0,
      acts: 60,
      restMs: 0,
      withoutHandles: place.withoutHandles ?? false,
      skipSync: null,
    };
    await writer.begin(plan, promised);
    place.spoil?.(mount, root);
    await writer.goUntil('paused');
    place.mend?.(mount, root);
    // A limit of the process stays: what lies beyond it is never taken.
    if (place.says.source.includes('EFBIG')) writer.kill('SIGKILL');
    else await writer.goUntil('over');
    await writer.stop();
    const problems = promised.contradictions.splice(0);
    const checked = await checkStore(root, ledger, promised, 'after');
    problems.push(...checked.problems);
    if (checked.temps > 0) problems.push(`${checked.temps} files stayed under tmp/`);
    const said = promised.refusals;
    if (!said.some((text) => place.says.test(text)))
      problems.push(`nothing was refused with ${place.says}: ${said[0]}`);
    return { refused: said.length, problems };
  } finally {
    tryRun('umount', '-l', mount);
    rmSync(outer, { recursive: true, force: true });
  }
}
