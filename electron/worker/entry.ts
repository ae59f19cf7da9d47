import { parentPort } from 'node:worker_threads';
import { accepted, refused } from '../../shared/refusal.js';
import { Attention } from '../../shared/settings.js';
import { noteChildren } from '../agent/child-life.js';
import type { Holdpoint, Shell } from '../shell/holdpoint.js';
import { NO_NEWS } from '../shell/notice.js';
import { startHoldpoint } from '../wiring.js';
import type { MainActs, WorkerActs } from './acts.js';
import { makeLink } from './link.js';

/**
 * The thread in which Holdpoint works: store, domain, formats, tool servers, timers, everything that reads, hashes or
 * waits for a disk. The main process keeps windows, and nothing that could hold them up.
 */
if (parentPort === null) throw new Error('this is a worker, and no program of its own');
let holdpoint: Holdpoint | null = null;

const main = makeLink<MainActs>(parentPort, {
  start: async (options) => {
    const started = await startHoldpoint(shell, {
      ...options,
      owns: (id) => main.tell('owns', [id]),
      relaunch: () => main.tell('relaunch', []),
    });
    if (!started.ok) return started;
    holdpoint = started.value;
    return accepted(null);
  },
  answer: async (channel, raw) => holdpoint?.answer(channel, raw) ?? refused('fault', 'Holdpoint has not started yet.'),
  openFiles: (paths) => holdpoint?.openFiles(paths),
  attention: async () => (await holdpoint?.attention()) ?? Attention.parse({}),
  news: async () => (await holdpoint?.news()) ?? NO_NEWS,
  woke: () => holdpoint?.woke(),
  close: async () => holdpoint?.close(),
} satisfies WorkerActs);

const shell: Shell = {
  broadcast: (channel) => main.tell('broadcast', [channel]),
  log: (text) => main.tell('log', [text]),
  system: {
    about: () => main.ask('about', []),
    chooseFiles: (title, what) => main.ask('chooseFiles', [title, what]),
    choosePlace: (title, name) => main.ask('choosePlace', [title, name]),
    takeWanted: () => main.ask('takeWanted', []),
    attentionProblems: () => main.ask('attentionProblems', []),
    settings: {
      openSettings: (dataFolder) => main.ask('openSettings', [dataFolder]),
      storeSettings: (next) => main.ask('storeSettings', [next]),
    },
    openLink: (address) => main.ask('openLink', [address]),
    ask: (question) => main.ask('ask', [question]),
    scale: () => main.ask('scale', []),
    keys: {
      isEncryptionAvailable: () => main.ask('isEncryptionAvailable', []),
      encryptString: (text) => main.ask('encryptString', [text]),
      decryptString: (bytes) => main.ask('decryptString', [bytes]),
      backend: () => main.ask('backend', []),
    },
  },
};

noteChildren((pid, lives) => main.tell('child', [pid, lives]));
process.on('unhandledRejection', (cause) => shell.log(`a failure that nobody handled: ${String(cause)}`));
