import { s } from './plural.js';

/** What is said of something under way; null while nobody knows how much there is. */
const far = (what: string) => (percent: number | null) => (percent === null ? `${what}…` : `${what}: ${percent} %`);

/** The words of the data folder: where it lies, its backups, and what comes in from one. */
export const keepingText = {
  underWay: {
    acts: {
      backup: far('Backing up'),
      preview: far('Reading the backup'),
      import: far('Bringing in'),
      move: far('Moving'),
    },
    stop: 'Stop',
    goesOn: 'From here on it runs to its end.',
  },
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
    hint: 'One file, checked as a whole: every run, what was refused, what waits in the inbox, and the settings without secrets.',
    busy: 'Backing up…',
    done: (records: number, payloads: number, files: number, left: number) =>
      `${records} record${s(records)}, ${payloads} large text${s(payloads)} and ${files} other file${s(files)} written.${left === 0 ? '' : ` ${left} left out: they cannot be read. "holdpoint doctor" names them.`}`,
  },
  bringIn: {
    button: 'Bring in a backup…',
    hint: 'You see first what would be done with each run. What could fire twice stays out.',
    busy: 'Reading…',
    title: (name: string) => `Bring in ${name}`,
    none: 'There is nothing in it.',
    what: { settings: 'settings', refused: 'refused file', inbox: 'waits in the inbox' },
    comes: (n: number, files: number) =>
      files === 0 ? `Bring in ${n} run${s(n)}` : `Bring in ${n} run${s(n)} and ${files} file${s(files)}`,
    nothing: 'There is nothing to bring in.',
    done: (n: number, files: number) =>
      files === 0 ? `${n} run${s(n)} brought in.` : `${n} run${s(n)} and ${files} file${s(files)} brought in.`,
    unsaved: (why: string) => `The settings were left as they are: ${why}`,
    run: 'Run or file',
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
