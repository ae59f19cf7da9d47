import type { EventChannel, InvokeChannel } from '../../shared/channels.js';
import type { Args, Health, HoldpointBridge, Result, RunDetail } from '../../shared/ipc.js';
import type { Proposal } from '../../shared/proposal.js';
import { QueueQuery } from '../../shared/queue.js';
import { accepted, refused } from '../../shared/refusal.js';
import type { RunRow } from '../../shared/run-row.js';
import { Settings } from '../../shared/settings.js';
import { fakeQueue } from './fake-queue.js';
import { makeDecision } from './samples.js';

type Answers = { [C in InvokeChannel]?: (...args: Args<C>) => Result<C> | Promise<Result<C>> };

/** A main process of cardboard: it answers from what it was given, and remembers what it was asked. */
export interface FakeBridge extends HoldpointBridge {
  /** Every request in order. */
  asked: { channel: InvokeChannel; args: readonly unknown[] }[];
  argsOf(channel: InvokeChannel): (readonly unknown[])[];
  runs: Map<string, RunDetail>;
  /** Whole argument texts by item and call, where the card carries only their beginning. */
  wholeTexts: Map<string, string>;
  /** By item: runs of the same text ask the same. */
  asks: Map<string, string>;
  settings: Settings;
  health: Health;
  /** Puts a run in, or a new state of one, and says so. */
  put(detail: RunDetail, quiet?: boolean): void;
  answer<C extends InvokeChannel>(channel: C, fn: Answers[C]): void;
  emit(channel: EventChannel): void;
  /** What the approve control would be showing, or null. */
  proposed: Proposal | null;
  /** A person confirms it in the control; main takes it, or refuses as it was told to. */
  confirm(): Promise<void>;
  /** A person leaves the control. */
  leave(action?: string): void;
}

export function createFakeBridge(details: readonly RunDetail[] = [], settings: Partial<Settings> = {}): FakeBridge {
  const listeners = new Map<EventChannel, Set<() => void>>();
  const overrides: Answers = {};
  const runs = new Map(details.map((detail) => [detail.row.id, detail]));
  const asks = new Map<string, string>();
  const queue = fakeQueue(runs, asks);
  const successorOf = (id: string): string | null => {
    const own = runs.get(id)?.row;
    const later = [...runs.values()]
      .map(({ row }) => row)
      .filter((row) => own && row.runId === own.runId && row.seq > own.seq);
    return later.sort((a, b) => b.seq - a.seq)[0]?.id ?? null;
  };
  const change = (id: string, row: Partial<RunRow>, more: Partial<RunDetail> = {}): boolean => {
    const detail = runs.get(id);
    if (detail) runs.set(id, { ...detail, ...more, row: { ...detail.row, ...row } });
    return detail !== undefined;
  };
  const gone = () => refused('not_found', 'No such run.');
  const slice = (text: string, from: number, most: number) => ({
    text: text.slice(from, from + most),
    from,
    length: text.length,
  });

  let settle: (reply: Result<'approve:offer'>) => void = () => undefined;
  const end = (reply: Result<'approve:offer'>): void => {
    bridge.proposed = null;
    settle(reply);
    settle = () => undefined;
  };
  const decided = (reply: Result<'decide:submit'>): Result<'approve:offer'> =>
    reply.ok ? accepted({ outcome: 'decided', decision: reply.value }) : reply;

  const bridge: FakeBridge = {
    proposed: null,
    async confirm() {
      const { proposed } = bridge;
      if (!proposed) throw new Error('nothing is proposed to the approve control');
      bridge.emit('approve:taken');
      if (proposed.act === 'decide') end(decided(await bridge.invoke('decide:submit', proposed.submission)));
      else if (proposed.act === 'decide_many') {
        const decided = await bridge.invoke('decide:submit-many', proposed.submissions);
        end(decided.ok ? accepted({ outcome: 'decided_many', decided: decided.value, leftOut: [] }) : decided);
      } else if (proposed.act === 'retry_turn') end(decided(retried(proposed.id)));
      else end(accepted({ outcome: 'done' }));
    },
    leave: (action) => end(accepted({ outcome: 'left', action: action ?? null })),
    asked: [],
    argsOf: (channel) => bridge.asked.filter((one) => one.channel === channel).map((one) => one.args),
    runs,
    wholeTexts: new Map(),
    asks,
    settings: Settings.parse({ reviewer: 'Ada', ...settings }),
    health: {
      dataFolder: '/home/ada/.local/share/holdpoint',
      readOnly: null,
      runs: details.length,
      unreadable: 0,
      decidedNotExecuted: 0,
      gc: { enabled: true, lastAt: null, reaped: 0, kept: 0, text: '', nextAt: null },
      empty: details.length === 0,
    },
    put(detail, quiet = false) {
      runs.set(detail.row.id, detail);
      bridge.health = { ...bridge.health, empty: false, runs: runs.size };
      if (!quiet) bridge.emit('runs:changed');
    },
    answer(channel, fn) {
      overrides[channel] = fn;
    },
    emit(channel) {
      for (const listener of listeners.get(channel) ?? []) listener();
    },
    on(channel, listener) {
      const all = listeners.get(channel) ?? new Set();
      listeners.set(channel, all.add(listener));
      return () => all.delete(listener);
    },
    async invoke<C extends InvokeChannel>(channel: C, ...args: Args<C>): Promise<Result<C>> {
      bridge.asked.push({ channel, args: structuredClone(args) as readonly unknown[] });
      const fn = (overrides[channel] ?? standard[channel]) as ((...a: Args<C>) => Result<C>) | undefined;
      if (!fn) throw new Error(`the fake bridge has no answer to ${channel}`);
      return structuredClone(await fn(...args));
    },
  };

  const retried = (id: string): Result<'decide:submit'> => {
    const detail = runs.get(id);
    if (!detail?.retry) return gone();
    const { turn, warning } = detail.retry;
    const decision = makeDecision(detail, [], { step: { verdict: 'approve' }, retry: { turn, warning } });
    change(id, { status: 'decided', other: false, decidedAt: decision.decidedAt, decidedBy: 'Ada' }, { decision });
    return accepted(decision);
  };

  const standard: Answers = {
    'edit:check': () => accepted([]),
    'tools:counts': () => accepted([]),
    'rules:list': () => accepted({ rules: [], paused: false }),
    'app:info': () => accepted({ version: '0.1.0', electron: '33', packaged: false, platform: 'linux' }),
    'app:wanted': () => accepted(null),
    'app:attention': () => accepted({ problems: [] }),
    'app:diagnose': () => accepted('Holdpoint: 0.1.0'),
    'app:health': () => accepted(bridge.health),
    'queue:show': async (query) => accepted(await queue.show(QueueQuery.parse(query))),
    'queue:state': (list) => queue.state(list),
    'queue:rows': (list, from, count) => queue.rows(list, from, count),
    'queue:fold': (list, at) => queue.fold(list, at),
    'queue:where': (list, id) => queue.where(list, id),
    'queue:next': (list, id) => queue.next(list, id),
    'queue:marks': (list, id, which) => queue.marks(list, id, which),
    'run:successor': (id) => accepted(successorOf(id)),
    'run:open': (id) => {
      const detail = runs.get(id);
      return detail ? accepted(detail) : gone();
    },
    'run:argument': (id, index, from) => {
      const whole = bridge.wholeTexts.get(`${id}/${index}`);
      return whole === undefined ? gone() : accepted(slice(whole, from, 65_536));
    },
    'run:message': () => accepted(slice('', 0, 0)),
    'run:raw': (id, from) => accepted(slice(JSON.stringify(runs.get(id)?.row, null, 1), from, 262_144)),
    'run:export': () => accepted(true),
    'run:file': () => refused('not_allowed', 'Not asked for.'),
    'link:open': () => accepted(true),
    'run:draft': () => accepted(null),
    'run:snooze': (id, until) =>
      change(id, { snoozedUntil: until, needsPerson: until === null }) ? accepted(null) : gone(),
    'run:route': (id, route) => (change(id, { route }) ? accepted(null) : gone()),
    'decide:submit': (submission) => {
      const detail = runs.get(submission.id);
      if (!detail) return gone();
      const { step } = submission;
      const decision = makeDecision(detail, submission.verdicts, {
        notBefore: new Date(Date.now() + bridge.settings.undoSeconds * 1000).toISOString(),
        ...(step && { step }),
      });
      const waiting = { code: 'undo_window', text: 'The undo window is open.', since: decision.decidedAt };
      change(
        submission.id,
        { status: 'decided', needsPerson: false, other: false, decidedAt: decision.decidedAt, decidedBy: 'Ada' },
        { decision, waiting },
      );
      return accepted(decision);
    },
    'bulk:read': (ids) => {
      const all = ids.map((id) => runs.get(id)).filter((detail) => detail !== undefined);
      const open = all.filter(({ row }) => row.status === 'waiting');
      return accepted({
        runs: open.map((detail) => ({
          id: detail.row.id,
          source: detail.row.source,
          runId: detail.row.runId,
          step: 2,
          binding: detail.binding ?? { revision: 1, resumeStep: 2, digest: '' },
          effect: detail.row.effect,
          calls: detail.calls.map(({ index, name, argumentsSha256, argumentsText, argumentsLength }) => ({
            index,
            name,
            argumentsSha256,
            text: argumentsText,
            length: argumentsLength,
          })),
        })),
        leftOut: all
          .filter((detail) => !open.includes(detail))
          .map(({ row }) => ({ id: row.id, tool: row.tools[0] ?? '', runId: row.runId, why: 'Decided by Grace.' })),
      });
    },
    'decide:submit-many': async (submissions) => {
      const told = [];
      for (const one of submissions) told.push({ id: one.id, answer: await bridge.invoke('decide:submit', one) });
      return accepted({ batchId: 'batch', told });
    },
    'decide:undo-many': async (ids) => {
      const told = [];
      for (const id of ids) told.push({ id, answer: await bridge.invoke('decide:undo', id) });
      return accepted(told);
    },
    'decide:undo': (id) =>
      change(id, { status: 'waiting', needsPerson: true, decidedAt: null }, { decision: null, waiting: null })
        ? accepted(null)
        : gone(),
    'decide:object': () => accepted(null),
    'approve:offer': (proposal) => {
      end(accepted({ outcome: 'withdrawn' }));
      bridge.proposed = proposal;
      return new Promise((resolve) => {
        settle = resolve;
      });
    },
    'approve:withdraw': () => {
      end(accepted({ outcome: 'withdrawn' }));
      return accepted(null);
    },
    'resume:cancel': () => accepted(null),
    'resume:reconcile': () => accepted(null),
    'resume:release': () => accepted(null),
    'resume:claim-given-up': () => accepted(null),
    'intake:bytes': (name) => accepted({ outcome: 'taken_in', id: null, name, text: '' }),
    'intake:pick': () => accepted([]),
    'samples:add': () => accepted([]),
    'insight:read': () =>
      accepted({
        days: [],
        toDecision: { medianSeconds: null, buckets: [] },
        tools: [],
        expired: [],
        myPace: { decisions: 0, medianSeconds: null },
      }),
    'history:list': () => accepted([...runs.values()].flatMap((detail) => detail.history)),
    'history:export': () => accepted(7),
    'folder:choose': () => accepted({ path: '/home/ada/new', wrong: null }),
    'folder:move': (to) => accepted({ to, files: 12 }),
    'backup:export': () => accepted({ records: 3, payloads: 1, files: 4, left: [] }),
    'backup:preview': () => accepted(null),
    'backup:import': () => accepted([]),
    'keep:state': () => accepted(null),
    'keep:stop': () => accepted(true),
    'gc:sweep': () => accepted(bridge.health.gc),
    'store:take-over': () => accepted(null),
    'settings:get': () => accepted(bridge.settings),
    'settings:set': (next) => {
      bridge.settings = Settings.parse(next);
      return accepted(bridge.settings);
    },
    'key:status': () =>
      accepted({
        publicKey: 'A'.repeat(43),
        kept: 'file',
        fault: null,
        known: [{ publicKey: 'A'.repeat(43), keyId: 'f'.repeat(32), name: 'Ada', own: true }],
      }),
    'key:save': () => accepted(true),
    'key:renew': () => accepted(false),
    'decision:save': () => accepted(true),
    'secret:set': (_name, key) => accepted({ stored: key === '' ? 'forgotten' : 'encrypted' }),
    'server:test': () => accepted({ ok: true, text: 'answered', tools: ['read_file'] }),
    'team:test': () => accepted({ ok: true, findings: [] }),
    'model:test': () => accepted({ ok: true, text: 'answered', tools: [] }),
  };
  return bridge;
}
