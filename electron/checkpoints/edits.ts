import { checkEdit } from '../../shared/arguments.js';
import type { PendingCall } from '../../shared/checkpoint.js';
import type { Verdict } from '../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { ListedTool } from '../ports.js';
import { argumentsDigest } from './digest.js';
import { schemaFaults, schemaWords } from './schema-check.js';

type Said = Omit<Verdict, 'editedSha256'>;

/**
 * The verdicts with the digests of their edits. An edit is refused that does not read, that changes a type which nobody
 * confirmed (C20), or that does not fit the schema of its tool server.
 */
export function checkedEdits(
  said: readonly Said[],
  pending: readonly Pick<PendingCall, 'index' | 'name' | 'arguments' | 'edits'>[],
  listed: readonly ListedTool[],
): Outcome<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const verdict of said) {
    const call = pending.find((c) => c.index === verdict.index);
    if (verdict.editedArguments === undefined || call === undefined) {
      if (verdict.typesChanged)
        return refused('invalid_edit', `Call ${verdict.index + 1} is not edited: no type of it changes.`);
      verdicts.push({ ...verdict });
      continue;
    }
    const fits = checkedEdit(call, verdict, verdict.editedArguments, listed);
    if (!fits.ok) return fits;
    verdicts.push({ ...verdict, editedSha256: argumentsDigest(verdict.editedArguments) });
  }
  return accepted(verdicts);
}

function checkedEdit(
  call: Pick<PendingCall, 'name' | 'arguments' | 'edits'>,
  { verdict, typesChanged = [] }: Said,
  edited: string,
  listed: readonly ListedTool[],
): Outcome<null> {
  if (verdict !== 'approve') return refused('invalid_edit', 'Only an approved call can have edited arguments.');
  const anyValue = call.edits === 'any_value';
  const checked = checkEdit(call.arguments, edited, { anyValue, typesConfirmed: typesChanged });
  if (!checked.ok) return checked;
  const faults = editFaults(call, edited, listed);
  const words = schemaWords(faults);
  return words === null
    ? accepted(null)
    : refused('invalid_edit', `The edited arguments do not fit the schema of ${call.name}: ${words}.`, { faults });
}

/** How an edit does not fit the schema that the call's tool server gave. */
export function editFaults(
  call: Pick<PendingCall, 'name' | 'edits'>,
  edited: string,
  listed: readonly ListedTool[],
): ReturnType<typeof schemaFaults> {
  const tool = call.edits === 'any_value' ? undefined : listed.find(({ name }) => name === call.name);
  return tool ? schemaFaults(tool.inputSchema, edited) : [];
}
