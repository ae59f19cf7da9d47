import { s } from './plural.js';

/** The words of the data folder: where it lies, its backups, and what comes in from one. */
export const keepingText = {
  title: 'Data folder',
  move: {
    name: 'Another place',
    button: 'Move to another folder…',
    hint: 'Everything is copied, compared byte for byte, and only then gone on with. The old files stay until you remove them; whoever still uses the old folder is told the new one.',
    sure: (path: string) => `Move everything to ${path}?`,
    confirm: 'Move it',
    moving: 'Moving…',
    moved: (path: string, files: number) => `Moved to ${path}: ${files} file${s(files)}.`,
  },
  backup: {
    name: 'Backup',
    which: 'Which runs',
    all: 'Everything',
    button: 'Back up…',
    hint: 'One file, checked as a whole. Settings, keys and the inbox are not in it.',
    busy: 'Backing up…',
    done: (records: number, payloads: number, left: number) =>
      `${records} record${s(records)} and ${payloads} large text${s(payloads)} written.${left === 0 ? '' : ` ${left} left out: they cannot be read. "holdpoint doctor" names them.`}`,
  },
  bringIn: {
    button: 'Bring in a backup…',
    hint: 'You see first what would be done with each run. What could fire twice stays out.',
    busy: 'Reading…',
    title: (name: string) => `Bring in ${name}`,
    none: 'There are no runs in it.',
    comes: (n: number) => `Bring in ${n} run${s(n)}`,
    nothing: 'There is nothing to bring in.',
    done: (n: number) => `${n} run${s(n)} brought in.`,
    run: 'Run',
    there: 'In the backup',
    compared: 'Compared',
    act: 'What is done',
    update: (run: string) => `Update ${run} to what the backup says`,
    acts: { add: 'added', take_in: 'taken in', update: 'updated', none: 'nothing', stays_out: 'stays out' },
    relations: {
      absent: 'not here',
      equal: 'the same here',
      newer_here: 'newer here',
      newer_there: 'newer in the backup',
      diverged: 'went apart',
    },
  },
} as const;
