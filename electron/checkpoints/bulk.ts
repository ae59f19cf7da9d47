import type { BulkRelease, ListedRelease } from '../../shared/approve.js';
import { type BulkList, type BulkRun, type LeftOut, SHOWN_LINES, SHOWN_UNITS } from '../../shared/bulk.js';
import type { PendingCall, Warning } from '../../shared/checkpoint.js';
import type { Submission } from '../../shared/proposal.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { EFFECTS, type Effect } from '../../shared/tool-table.js';
import type { ListedTool, Ports } from '../ports.js';
import type { KvStore } from '../store/contract.js';
import { claimFacts, classOf } from './facts.js';
import { parseSuspension } from './keys.js';
import { mayDecide, openCalls } from './may-fire.js';
import { isOf, nameWarnings, toolsKnown } from './name-warnings.js';
import { type Loaded, load } from './records.js';
import { releaseOf } from './release.js';
import { schemaWarnings } from './schema-warnings.js';

/** Of a hostile record; UTF-16 units. */
const LONGEST_WARNING = 500;

type Said = 'approve' | 'reject';
type Listed = (source: string) => readonly ListedTool[];
/** The one tool and class of a list. */
interface Kind {
  tool: string;
  effect: Effect;
}

/** Gathers runs of one kind: that of the first which fits. What does not fit is left out, with the reason. */
class Gathering<T> {
  kind: Kind | null = null;
  readonly fits: T[] = [];
  readonly leftOut: LeftOut[] = [];

  take(id: string, read: Outcome<{ kind: Kind; value: T }>, about: { tool: string; runId: string }): void {
    const out = (why: string): unknown => this.leftOut.push({ id, ...about, why });
    if (!read.ok) return void out(read.refusal.text);
    const { kind, value } = read.value;
    this.kind ??= kind;
    if (kind.tool !== this.kind.tool) out(`Its tool is ${kind.tool}: each tool is decided in a list of its own.`);
    else if (kind.effect !== this.kind.effect)
      out('It is of another class: each class is decided in a list of its own.');
    else this.fits.push(value);
  }
}

/** What of these suspensions can be decided together. `ids` are the window's names of list items. */
export async function bulkOf(
  store: KvStore,
  ports: Ports,
  ids: readonly string[],
  said: Said,
  listed: Listed,
): Promise<BulkList> {
  const all = new Gathering<BulkRun>();
  for (const id of new Set(ids)) {
    const loaded = await loadItem(store, id);
    const read = loaded.ok ? bulkRun(loaded.value, ports, id, said, listed) : loaded;
    all.take(id, read.ok ? accepted({ kind: kindOf(read.value), value: read.value }) : read, aboutOf(id, loaded));
  }
  return { runs: all.fits, leftOut: all.leftOut };
}

/**
 * What the approve control shows of several runs, each read from the store: what changed since the list was made, was
 * decided first, or does not fit, drops out with its reason. Refused when nothing is left.
 */
export async function bulkReleaseOf(
  store: KvStore,
  ports: Ports,
  submissions: readonly Submission[],
  listed: Listed,
): Promise<Outcome<BulkRelease>> {
  const all = new Gathering<ListedRelease>();
  const seen = new Set<string>();
  for (const submission of submissions) {
    if (seen.has(submission.id)) continue;
    seen.add(submission.id);
    const loaded = await loadItem(store, submission.id);
    const read = loaded.ok ? await confirmable(store, ports, loaded.value, submission, listed) : loaded;
    all.take(submission.id, read, aboutOf(submission.id, loaded));
  }
  if (all.kind === null || all.fits.length === 0) {
    const [first] = all.leftOut;
    return refused('changed_since_you_looked', `Nothing of the list can be approved now. ${first?.why ?? ''}`.trim());
  }
  return accepted({ act: 'decide_many', ...all.kind, runs: all.fits, leftOut: all.leftOut });
}

async function confirmable(
  store: KvStore,
  ports: Ports,
  loaded: Loaded,
  submission: Submission,
  listed: Listed,
): Promise<Outcome<{ kind: Kind; value: ListedRelease }>> {
  const { id, binding, verdicts, step, repair } = submission;
  const run = bulkRun(loaded, ports, id, 'approve', listed);
  if (!run.ok) return run;
  const now = run.value.binding;
  if (now.digest !== binding.digest || now.revision !== binding.revision || now.resumeStep !== binding.resumeStep)
    return refused('changed_since_you_looked', 'It changed since the list was made. Look at it again.');
  // As it is, or not at all: an edit, a note or a rejection belongs on its card.
  const plain = verdicts.every((one) => one.verdict === 'approve' && one.editedArguments === undefined);
  if (!plain || step !== undefined || repair) return refused('bad_request', 'A list approves what is in it as it is.');
  const release = await releaseOf(
    store,
    ports,
    loaded.key,
    { act: 'decide', submission, unread: [] },
    listed(loaded.key.source),
  );
  if (!release.ok) return release;
  const { ofRecord } = warningsOf(loaded, ports, openCalls(loaded), listed(loaded.key.source));
  return accepted({
    kind: kindOf(run.value),
    value: { ...release.value, warnings: ofRecord.map(({ text }) => text.slice(0, LONGEST_WARNING)) },
  });
}

/** Whether this one may be in such a list. Whether it may be decided at all is asked of the one rule (`may-fire.ts`). */
function bulkRun(loaded: Loaded, ports: Ports, id: string, said: Said, listed: Listed): Outcome<BulkRun> {
  const { key, head, record, revision, decision } = loaded;
  if (decision.kind === 'decision' && !decision.decision.withdrawn) {
    const { reviewer, decidedAt } = decision.decision;
    return refused('already_decided', `${reviewer.name} decided it at ${decidedAt}.`);
  }
  const open = openCalls(loaded);
  const [first] = open;
  if (first === undefined) return refused('not_waiting', 'No call of it waits for a verdict: decide it on its card.');
  if (open.some(({ name }) => name !== first.name))
    return refused('bad_request', 'Its calls are of several tools: decide them on its card.');
  const tools = listed(key.source);
  const effects = open.map(
    ({ name }) =>
      classOf(
        ports.settings(),
        key.source,
        name,
        tools.find((one) => one.name === name),
      ).effect,
  );
  const effect = EFFECTS[Math.max(...effects.map((one) => EFFECTS.indexOf(one)))] ?? 'destructive';
  const verdicts = open.map(({ index, argumentsSha256 }) => ({ index, argumentsSha256, verdict: said }));
  const rule = mayDecide(claimFacts(loaded, ports), { verdicts, repair: false });
  if (!rule.ok) return rule;
  const readable = said === 'approve' ? readAtAGlance(loaded, ports, open, effect, tools) : accepted(null);
  if (!readable.ok) return readable;
  return accepted({
    id,
    source: key.source,
    runId: key.runId,
    step: record.resumeStep,
    binding: { revision, resumeStep: record.resumeStep, digest: head.digest },
    effect,
    calls: open.map(({ index, name, argumentsSha256, arguments: text }) => ({
      index,
      name,
      argumentsSha256,
      text: text.slice(0, SHOWN_UNITS),
      length: text.length,
    })),
  });
}

/** All of it stands in the control: what a warning says of a call itself is read on its card, beside the place (I12). */
function readAtAGlance(
  loaded: Loaded,
  ports: Ports,
  open: readonly PendingCall[],
  effect: Effect,
  tools: readonly ListedTool[],
): Outcome<null> {
  if (effect === 'destructive')
    return refused(
      'not_allowed',
      'The dangerous class is never approved in a list: each takes a confirmation of its own.',
    );
  const [warning] = warningsOf(loaded, ports, open, tools).ofCalls;
  if (warning) return refused('blocked_by_warning', `Its card has a warning: ${warning.text}`);
  if (loaded.head.conflict !== null)
    return refused('blocked_by_warning', `Its card has a warning: ${loaded.head.conflict}`);
  const long = open.find(({ arguments: text }) => text.length > SHOWN_UNITS || text.split('\n').length > SHOWN_LINES);
  if (long) return refused('incomplete_decision', 'Its arguments are too long for a list: read them on its card.');
  return accepted(null);
}

/** What is to be said of the calls themselves, and what of the record as a whole. */
function warningsOf(
  { record }: Loaded,
  ports: Ports,
  open: readonly PendingCall[],
  tools: readonly ListedTool[],
): { ofCalls: Warning[]; ofRecord: Warning[] } {
  const known = toolsKnown(ports.settings(), tools);
  const named = open.flatMap((call) => {
    const tool = tools.find(({ name }) => name === call.name);
    return [...nameWarnings(call, '', known), ...(tool ? schemaWarnings(call, tool.inputSchema) : [])];
  });
  const about = record.warnings.map((warning) => ({ warning, ofCall: open.some((call) => isOf(warning, call)) }));
  return {
    ofCalls: [...named, ...about.flatMap(({ warning, ofCall }) => (ofCall ? [warning] : []))],
    ofRecord: about.flatMap(({ warning, ofCall }) => (ofCall ? [] : [warning])),
  };
}

async function loadItem(store: KvStore, id: string): Promise<Outcome<Loaded>> {
  const key = id.startsWith('s:') ? parseSuspension(id.slice(2)) : null;
  return key ? load(store, key) : refused('unreadable', 'This record cannot be read: nothing can be decided on it.');
}

const kindOf = ({ calls, effect }: BulkRun): Kind => ({ tool: calls[0]?.name ?? '', effect });

function aboutOf(id: string, loaded: Outcome<Loaded>): { tool: string; runId: string } {
  if (!loaded.ok) return { tool: '', runId: id.slice(0, 200) };
  return { tool: loaded.value.record.pending?.[0]?.name ?? '', runId: loaded.value.key.runId };
}
