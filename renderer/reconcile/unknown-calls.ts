import type { RunDetail } from '../../shared/ipc.js';
import type { CallEntry, LoopEntry } from '../../shared/journal.js';

/** A call whose outcome nobody knows, with the number under which main settles it. */
export interface UnknownCall {
  /** Position over the batch first, then the loop's own calls. */
  index: number;
  name: string;
  entry: CallEntry | LoopEntry | null;
  /** The arguments as they were sent, where they are at hand. */
  arguments: string | null;
  repeatable: boolean;
}

/**
 * The calls a person has to settle. A record that came in already latched has no journal of ours: every call that is
 * not answered in its conversation is unknown (H4). A started call that was never reported counts as unknown (H13).
 */
export function unknownCalls(detail: RunDetail): UnknownCall[] {
  if (detail.row.status !== 'unknown_outcome') return [];
  const repeatable = (name: string): boolean => detail.calls.find((c) => c.name === name)?.facts.repeatable ?? false;
  if (detail.journal === null)
    return detail.calls
      .filter((call) => !call.answered)
      .map((call) => ({
        index: call.index,
        name: call.name,
        entry: null,
        arguments: call.argumentsText,
        repeatable: call.facts.repeatable,
      }));
  const { calls, loop } = detail.journal;
  return [...calls, ...loop]
    .map((entry, index) => ({ entry, index }))
    .filter(({ entry }) => entry.state === 'unknown' || entry.state === 'started')
    .map(({ entry, index }) => ({
      index,
      name: entry.name,
      entry,
      arguments: argumentsOf(detail, entry, index),
      repeatable: repeatable(entry.name),
    }));
}

function argumentsOf(detail: RunDetail, entry: CallEntry | LoopEntry, index: number): string | null {
  if ('arguments' in entry) return entry.arguments;
  const edited = detail.decision?.verdicts.find((v) => v.index === index)?.editedArguments;
  return edited ?? detail.calls.find((call) => call.index === index)?.argumentsText ?? null;
}
