import type { SuspensionKey } from '../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { Source } from '../../shared/settings.js';
import { detailOf } from '../checkpoints/detail.js';
import { complete, reportCall, startCall, withdraw } from '../checkpoints/handover.js';
import { eachHistory, historyOf, wholeHistory } from '../checkpoints/history.js';
import { takeIn } from '../checkpoints/intake.js';
import { suspensionText } from '../checkpoints/keys.js';
import type { KnownKey } from '../checkpoints/signatures.js';
import type { DataFolder } from '../data-folder.js';
import { type Identity, isAlive } from '../identity.js';
import { LOCAL } from '../inbox/listing.js';
import { importBackup } from '../keep/import-backup.js';
import { listAll } from '../listing.js';
import type { Clock, Ids, Ports } from '../ports.js';
import type { ReadSettings } from '../settings-file.js';
import type { KvStore } from '../store/contract.js';
import { guarded } from '../store/refusal.js';
import { awaitDecision } from './await-decision.js';
import { collectGarbage } from './collect-garbage.js';
import type { Engine, SuspendOptions } from './contract.js';
import { examine } from './doctor.js';
import { findRun } from './find-run.js';
import { inspect } from './inspection.js';
import { noDispatch } from './no-dispatch.js';

/** How many suspensions deep the whole history goes. */
const HISTORY_DEPTH = 2000;
const LONGEST_TOKEN = 1024;
const LONGEST_REASON = 4000;

export interface EngineParts {
  folder: DataFolder;
  store: KvStore;
  settings(): ReadSettings;
  clock: Clock;
  ids: Ids;
  me: Identity;
  /** Keys whose signatures count. */
  known(): readonly KnownKey[];
}

export function makeEngine({ folder, store, settings, clock, ids, me, known }: EngineParts): Engine {
  const ports: Ports = {
    clock,
    ids,
    ...noDispatch,
    settings: () => settings().settings,
    signing: { known, signer: async () => refused('not_allowed', 'Only a window decides.') },
    process: me,
    isAlive: (by) => isAlive(by) === 'yes',
  };
  const on = <T>(run: string, act: (key: SuspensionKey) => Promise<Outcome<T>>): Promise<Outcome<T>> =>
    guarded(async () => {
      const key = await findRun(store, run);
      return key.ok ? act(key.value) : key;
    });
  const claimed = <T>(
    run: string,
    token: string,
    act: (key: SuspensionKey) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> =>
    token === '' || token.length > LONGEST_TOKEN
      ? Promise.resolve(
          refused(
            'bad_request',
            `A token has 1 to ${LONGEST_TOKEN} characters. Make a random one, and save it before the first use.`,
          ),
        )
      : on(run, act);

  return {
    dataFolder: { path: folder.path, said: folder.said },
    settingsWarning: () => settings().warning,
    inspect,
    suspend: (bytes, options = {}) => guarded(() => suspend(bytes, options)),
    list: ({ ended = false } = {}) =>
      guarded(async () => accepted(await listAll(store, ports, folder.path, { ended }))),
    show: (run) => on(run, (key) => detailOf(store, ports, key, { waiting: () => null, running: false, listed: [] })),
    await: (run, options) =>
      claimed(run, options.token, (key) => awaitDecision(store, ports, key, options, () => settings().warning)),
    start: (run, call, { token }) => claimed(run, token, (key) => startCall(store, ports, key, call, token)),
    report: (run, call, said) =>
      claimed(run, said.token, (key) =>
        reportCall(
          store,
          ports,
          key,
          call,
          said.token,
          'result' in said ? { kind: 'result', text: said.result } : { kind: 'error', text: said.error },
        ),
      ),
    complete: (run, { token, answer = '' }) => claimed(run, token, (key) => complete(store, ports, key, token, answer)),
    withdraw: (run) => on(run, (key) => withdraw(store, ports, key, me.name)),
    gc: (options = {}) => guarded(() => collectGarbage(store, { clock, me }, settings(), options)),
    history: (run) =>
      run === undefined
        ? guarded(async () => accepted(await wholeHistory(store, HISTORY_DEPTH)))
        : on(run, async (key) => accepted(await historyOf(store, key))),
    eachHistory: () => eachHistory(store),
    importBackup: (path, { dryRun = false, update = [] } = {}) =>
      guarded(async () => {
        // Settings are the window's alone to write (H11).
        const side = { dataFolder: folder.path, settings: () => settings().settings, save: null };
        const done = await importBackup(store, ports, path, { dryRun, update: new Set(update), by: me.name, side });
        return done.ok ? accepted({ rows: done.value.rows }) : done;
      }),
    doctor: () => examine(folder),
    close: () => store.close(),
  };

  async function suspend(
    bytes: Uint8Array,
    { source = LOCAL, reason, continueHere, name }: SuspendOptions,
  ): ReturnType<Engine['suspend']> {
    if (!Source.shape.name.safeParse(source).success)
      return refused(
        'bad_request',
        `${JSON.stringify(source)} is no name of a source: letters, digits, "_", "." and "-", at most 64.`,
      );
    if ((reason ?? '').length > LONGEST_REASON)
      return refused('bad_request', `A reason has at most ${LONGEST_REASON} characters.`);
    const own = settings().settings.sources.find((one) => one.name === source)?.route ?? 'handed_over';
    const route = continueHere ? 'here' : own;
    const taken = await takeIn(store, clock, {
      bytes,
      source,
      via: 'cli',
      route,
      name: name?.slice(-255) ?? null,
      reason: reason ?? null,
    });
    if (!taken.ok) return taken;
    const { outcome, key, beside } = taken.value;
    return accepted({
      outcome,
      suspension: key,
      run: suspensionText(key),
      ...(beside === undefined ? {} : { beside }),
    });
  }
}
