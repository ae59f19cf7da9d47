import type { Ack } from './acks.js';

/** What the writers of one store were told, and may rely on for ever. */
export interface Promised {
  /** Of each plain key: what each acknowledged revision holds; null is a tombstone. */
  values: Map<string, Map<number, string | null>>;
  payloads: Set<string>;
  runs: Map<number, PromisedRun>;
  counts: Map<Ack['t'], number>;
  /** What two writers were told that cannot both be true, and faults that no trial expects. */
  contradictions: string[];
  /** The words of each refusal. */
  refusals: string[];
}

export interface PromisedRun {
  decisionId: string | null;
  token: string | null;
  started: boolean;
  report: string | null;
  completed: boolean;
  resumed: boolean;
}

export function noPromises(): Promised {
  return {
    values: new Map(),
    payloads: new Set(),
    runs: new Map(),
    counts: new Map(),
    contradictions: [],
    refusals: [],
  };
}

export function note(promised: Promised, ack: Ack): void {
  promised.counts.set(ack.t, (promised.counts.get(ack.t) ?? 0) + 1);
  switch (ack.t) {
    case 'fault':
      promised.contradictions.push(`a writer met a fault: ${ack.text}`);
      return;
    case 'values':
      for (const value of ack.values) noteValue(promised, value);
      return;
    case 'decided together':
      for (const decision of ack.decisions) noteRun(promised, { t: 'decided', ...decision });
      return;
    case 'value':
      noteValue(promised, ack);
      return;
    case 'payload':
      promised.payloads.add(ack.sha256);
      return;
    case 'taken':
    case 'decided':
    case 'claimed':
    case 'started':
    case 'reported':
    case 'completed':
    case 'resumed':
      noteRun(promised, ack);
      return;
    case 'refused':
      noteRefusal(promised, ack);
      return;
    case 'ready':
    case 'paused':
    case 'over':
    case 'listed':
    case 'thinned':
    case 'tidied':
    case 'reaped':
    case 'in doubt':
  }
}

function noteValue(
  promised: Promised,
  { key, revision, id }: { key: string; revision: number; id: string | null },
): void {
  const known = promised.values.get(key) ?? new Map<number, string | null>();
  promised.values.set(key, known);
  if (known.has(revision))
    promised.contradictions.push(`two winners of revision ${revision} of ${JSON.stringify(key)}`);
  known.set(revision, id);
}

const TYPED = ['StoreFull', 'StoreReadOnly', 'StoreFault', 'StoreCorrupt'];

/** Every error has its type, and its words name the act and the file. */
function noteRefusal(promised: Promised, { name, text }: Extract<Ack, { t: 'refused' }>): void {
  promised.refusals.push(text);
  const names = /(could not|cannot|vanished|read-only)/i.test(text) && /\/|STORE\.json/.test(text);
  if (!TYPED.includes(name) || !names)
    promised.contradictions.push(`an error does not say what failed: ${name}: ${text}`);
}

function noteRun(promised: Promised, ack: Extract<Ack, { run: number }>): void {
  const blank = { decisionId: null, token: null, started: false, report: null, completed: false, resumed: false };
  const run: PromisedRun = promised.runs.get(ack.run) ?? blank;
  promised.runs.set(ack.run, run);
  const against = (what: string) => promised.contradictions.push(`run ${ack.run} ${what}`);
  if ('token' in ack) {
    if (run.token !== null && run.token !== ack.token) against(`was claimed twice: ${run.token}, ${ack.token}`);
    run.token = ack.token;
  }
  switch (ack.t) {
    case 'decided':
      if (run.decisionId !== null) against('was decided twice');
      run.decisionId = ack.decisionId;
      return;
    case 'started':
      if (run.started) against('was started twice');
      run.started = true;
      return;
    case 'reported':
      run.report = ack.text;
      return;
    case 'completed':
      run.completed = true;
      return;
    case 'resumed':
      if (run.resumed) against('was resumed twice');
      run.resumed = true;
  }
}
