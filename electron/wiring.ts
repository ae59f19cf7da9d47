import { join } from 'node:path';
import type { SuspensionKey } from '../shared/decision.js';
import { accepted, type Outcome, type Refusal, refused } from '../shared/refusal.js';
import { makeModels } from './agent/model-client.js';
import { makeSecrets } from './agent/secrets.js';
import { makeTools } from './agent/tool-servers.js';
import { answering } from './answering.js';
import { asSeenHere } from './checkpoints/cut-short.js';
import { GcTimer, type Timers } from './checkpoints/gc-timer.js';
import { HISTORY, KEPT_WHOLE, parseSuspension } from './checkpoints/keys.js';
import { markInterruptedHere } from './checkpoints/recovery.js';
import { RuleWatch } from './checkpoints/rules/watch.js';
import { Runner } from './checkpoints/runner.js';
import { SealTimer } from './checkpoints/seal-timer.js';
import { Sealer } from './checkpoints/seals.js';
import { ToolCounts } from './checkpoints/tool-counts.js';
import { type DataFolder, type FolderRule, locateDataFolder, openDataFolder, pointTo } from './data-folder.js';
import { arriveFile, arriving } from './handlers/arriving.js';
import { attaching } from './handlers/attaching.js';
import { attending } from './handlers/attending.js';
import { beside } from './handlers/beside.js';
import { configuring } from './handlers/configuring.js';
import { type Context, listedFor } from './handlers/context.js';
import { counting } from './handlers/counting.js';
import { deciding } from './handlers/deciding.js';
import { diagnosing } from './handlers/diagnosing.js';
import { editing } from './handlers/editing.js';
import { keeping } from './handlers/keeping.js';
import { listingServers } from './handlers/list-servers.js';
import { moving } from './handlers/moving.js';
import { queueing } from './handlers/queueing.js';
import { reading } from './handlers/reading.js';
import { releasing } from './handlers/releasing.js';
import { resuming } from './handlers/resuming.js';
import { ruling } from './handlers/ruling.js';
import { signing } from './handlers/signing.js';
import { tabling } from './handlers/tabling.js';
import { teaming } from './handlers/teaming.js';
import { longActs } from './handlers/under-way.js';
import { isAlive, thisProcess } from './identity.js';
import { inboxIntake, watchInbox } from './inbox.js';
import { settleMove } from './keep/settle-move.js';
import { keptSettings } from './kept-settings.js';
import { quarantinedRows, refusedRows } from './listing.js';
import { takeOwnership } from './owner.js';
import type { ListedTool, Ports, Tools } from './ports.js';
import { openLiveQueue } from './queue/live-queue.js';
import { openSearch } from './queue/search-link.js';
import type { Holdpoint, Shell } from './shell/holdpoint.js';
import { knownKeys } from './signing/key-file.js';
import { openOwnKey } from './signing/own-key.js';
import { openStore } from './store/file-store.js';
import type { FileStore } from './store/opened-store.js';
import { storeRefusal } from './store/refusal.js';
import { systemClock, systemIds } from './system-clock.js';

/** Timers of the thread that works; none that matters lives in the page. They never keep the application alive. */
const timers: Timers = {
  set: (after, act) => setTimeout(act, after).unref(),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

export interface StartPlan {
  /** The main process's own arguments. */
  argv: readonly string[];
  /** The owner record of a part of this process that ended, and what to tell of the new one. */
  instead: string | null;
  owns(id: string): void;
  /** Ends this thread and starts another one: the data folder is another one now. */
  relaunch(): void;
}

/** Builds what the window talks to. Refused when it must not start; the text is shown, and the application quits. */
export async function startHoldpoint(shell: Shell, plan: StartPlan): Promise<Outcome<Holdpoint>> {
  const located = locateDataFolder(dataOption(plan.argv));
  if (!located.ok) return located;
  const folder = openDataFolder(located.value, { make: true });
  if (!folder.ok) return choosable(folder.refusal, located.value.rule);
  const owned = await takeOwnership(folder.value.path, thisProcess('window'), { instead: plan.instead });
  if (!owned.ok) return owned;
  try {
    const elsewhere = await settleMove(folder.value.path, (to) => followTo(folder.value.path, to));
    if (elsewhere !== null) {
      await owned.value.release();
      return await startElsewhere(shell, plan, folder.value, elsewhere);
    }
    plan.owns(owned.value.owner.id);
    return accepted(await build(shell, plan, folder.value, owned.value.release));
  } catch (error) {
    await owned.value.release();
    const refusal = storeRefusal(error);
    return refusal.ok ? refusal : choosable(refusal.refusal, folder.value.rule);
  }
}

/** Where nobody named the folder on this start, the person may choose another one (C92). */
function choosable(refusal: Refusal, rule: FolderRule): { ok: false; refusal: Refusal } {
  const choose = rule === 'pointer' || rule === 'default';
  return { ok: false, refusal: { ...refusal, facts: { ...refusal.facts, choose } } };
}

/** The pointer follows a move where it names, or stands for, the folder that was moved; a third one is left alone. */
function followTo(from: string, to: string): void {
  const now = locateDataFolder(undefined);
  if (now.ok && now.value.path === from && (now.value.rule === 'pointer' || now.value.rule === 'default')) pointTo(to);
}

/** The folder was moved. Where a pointer says which one it is, that is followed; a name that a person gave is told to be old. */
async function startElsewhere(
  shell: Shell,
  plan: StartPlan,
  { path, rule, said }: DataFolder,
  to: string,
): Promise<Outcome<Holdpoint>> {
  const now = rule === 'option' || rule === 'environment' ? null : locateDataFolder(undefined);
  if (now?.ok && now.value.path !== path) return startHoldpoint(shell, plan);
  return refused('not_home', `The data folder ${path} (${said}) was moved to ${to}. Start Holdpoint with that one.`, {
    movedTo: to,
  });
}

const dataOption = (argv: readonly string[]): string | undefined => {
  const joined = argv.find((argument) => argument.startsWith('--data='));
  const at = argv.indexOf('--data');
  return joined?.slice('--data='.length) ?? (at < 0 ? undefined : argv[at + 1]);
};

async function build(
  outer: Shell,
  plan: StartPlan,
  folder: DataFolder,
  release: () => Promise<void>,
): Promise<Holdpoint> {
  // First of all: where a newer Holdpoint wrote, nothing is touched, the settings included.
  const store = await openStore(folder.store, { keepAll: KEPT_WHOLE });
  const settings = await keptSettings(outer.system.settings, folder.path);
  if (settings.setAside) outer.log(settings.setAside);
  const secrets = makeSecrets(folder.path, outer.system.keys);
  const tools = makeTools({ servers: () => settings.get().servers, dataFolder: folder.path, env: process.env });
  const models = makeModels({ endpoints: () => settings.get().models, keyOf: (name) => secrets.get(name) });
  const ownKey = await openOwnKey(folder.path, outer.system.keys);
  const listed = new Map<string, readonly ListedTool[]>();
  const ports: Ports = {
    clock: systemClock(),
    ids: systemIds(),
    tools: remembering(tools, listed),
    models,
    settings: () => settings.get(),
    signing: { known: () => knownKeys(ownKey.file(), settings.get()), signer: () => ownKey.signer() },
    listed: (source) => listedFor({ listed, settings }, source),
    isAlive: (by) => isAlive(by) === 'yes',
    get process() {
      return thisProcess(settings.get().reviewer || 'the window');
    },
  };
  // What changes for the list goes through the list, which tells the window in one word for many.
  const changed = (): void => live.touch();
  const shell: Shell = {
    ...outer,
    broadcast: (channel) => (channel === 'runs:changed' ? changed() : outer.broadcast(channel)),
  };
  const runner = new Runner(store, ports, timers, changed);
  const gc = new GcTimer(store, ports, timers, () => {
    shell.broadcast('gc:changed');
    changed();
  });
  const seals = new SealTimer(new Sealer(store, ports), timers, (error) =>
    shell.log(`the history could not be sealed: ${String(error)}`),
  );
  const isRunning = (key: SuspensionKey): boolean => runner.isRunning(key);
  const search = openSearch({
    file: new URL('./search.js', import.meta.url),
    store: folder.store,
    storeId: store.storeId,
    path: join(folder.path, 'search', 'index'),
    progress: changed,
    log: outer.log,
  });
  const live = openLiveQueue({
    store,
    ports,
    timers,
    waiting: (item) => runner.waitingOf(item),
    asSeenHere: (row, journal) =>
      asSeenHere(row, journal, { key: parseSuspension(row.id.slice(2)), isRunning, nowMs: Date.now() }),
    quarantined: () => quarantinedRows(store),
    refused: () => refusedRows(folder.path),
    search,
    changed: () => outer.broadcast('runs:changed'),
    log: outer.log,
  });
  const counts = new ToolCounts(store);
  const listServers = listingServers({ ports, listed });
  const rules = new RuleWatch({
    store,
    ports,
    listServers,
    decided: async (key, notBefore) => {
      await runner.decided(key, notBefore);
      changed();
    },
    log: outer.log,
  });
  const context: Context = {
    dataFolder: folder.path,
    folderRule: folder.rule,
    relaunch: plan.relaunch,
    store,
    begin: async () => {
      await recover(context, store);
      gc.start();
      seals.start();
      for (const bucket of HISTORY) store.watch(bucket, (keys) => seals.changed(bucket, keys));
      rules.begin();
    },
    ports,
    runner,
    gc,
    settings,
    secrets,
    ownKey,
    tools,
    models,
    shell,
    listed,
    rules,
    queue: live.queue,
    together: live.together,
  };
  // A store that was copied or moved is read-only until a person takes it over by name (H16).
  if (store.readOnlyReason === null) await context.begin();
  const closeInbox = watchInbox(folder.path, {
    takeIn: inboxIntake(store, ports.clock, ports.settings),
    onArrival: changed,
    onFault: (error) => shell.log(`the inbox could not be looked at: ${String(error)}`),
  });
  const reader = reading(context);
  const configurer = configuring(context);
  const long = longActs(shell);
  return {
    answer: answering(
      {
        ...queueing(context),
        ...reader,
        ...diagnosing(context, reader['app:health']),
        ...counting(context),
        ...beside(context),
        ...editing(context),
        ...deciding(context),
        ...resuming(context),
        ...releasing(context),
        ...arriving(context),
        ...attaching(context),
        ...configurer,
        ...signing(context),
        ...tabling({ ports, counts }),
        ...ruling({ ...context, listServers }),
        ...keeping(context, long, (next) => Promise.resolve(configurer['settings:set'](next))),
        ...moving(context, long),
        ...long.handlers,
        ...teaming(context),
        ...attending(shell.system),
      },
      shell.log,
    ),
    openFiles: (paths) => {
      for (const path of paths)
        void arriveFile(context, path).then((taken) => shell.log(`${taken.name}: ${taken.text}`));
    },
    attention: async () => settings.get().attention,
    news: () => live.queue.news(),
    woke: () => void gc.afterSleep(),
    close: async () => {
      live.close();
      await search.close();
      await closeInbox();
      gc.dispose();
      rules.end();
      counts.close();
      runner.dispose();
      await tools.closeAll();
      // After all that could still write; not waited for longer than quitting may take.
      await seals.finish();
      await store.close();
      await release();
    },
  };
}

/** Finds what an earlier process left: started calls become unknown, decided runs go on, claimed ones wait (I8). */
async function recover(context: Context, store: FileStore): Promise<void> {
  const marked = await markInterruptedHere(store);
  if (marked.length > 0) context.shell.log(`${marked.length} runs were cut short; their started calls are unknown`);
  await context.runner.recover();
}

/** Keeps what each server offered last, for the cards; the dispatch always asks anew. */
function remembering(tools: Tools, listed: Map<string, readonly ListedTool[]>): Tools {
  return {
    async open(servers) {
      const session = await tools.open(servers);
      if (session.ok)
        for (const server of servers)
          listed.set(
            server,
            session.value.tools.filter((tool) => tool.server === server),
          );
      return session;
    },
  };
}
