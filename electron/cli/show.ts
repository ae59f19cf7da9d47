import type { HistoryEvent } from '../../shared/history-event.js';
import type { RunDetail } from '../../shared/ipc.js';
import { suspensionText } from '../checkpoints/keys.js';
import { type Command, say, withEngine } from './command.js';
import { block, oneLine } from './text.js';

export const showCommand: Command = {
  name: 'show',
  usage: 'show RUN',
  does: 'shows one run: its calls, the decision, what happened, and the final answer',
  takes: [1, 1],
  options: {},
  run: (call) => withEngine(call, async (engine) => say(call, await engine.show(call.positionals[0] ?? ''), inWords)),
};

function inWords(run: RunDetail): string {
  const { row } = run;
  const lines = [
    `${oneLine(row.runId)}: ${row.status.replaceAll('_', ' ')}${row.note === '' ? '' : ` — ${oneLine(row.note)}`}`,
  ];
  const add = (name: string, value: string | null) => {
    if (value !== null && value !== '') lines.push(`  ${name.padEnd(12)}${oneLine(value)}`);
  };
  add('key', run.suspension ? suspensionText(run.suspension) : null);
  add('checkpoint', run.checkpointId);
  add('thread', row.threadId);
  add('resumes at', row.step === null ? null : `step ${row.step}`);
  add('continues', row.route === 'here' ? 'in the window' : 'in the agent (handed over)');
  add('created', row.createdAt);
  add('taken in', row.takenInAt);
  add('expires', row.expiresAt);
  add('stands', run.classification ?? null);
  add('stopped', run.reason);
  add('latch', run.latch && `${run.latch.kind}: ${run.latch.by} at ${run.latch.at}`);
  for (const { name, value } of [...(run.about ?? []), ...(run.neighbours ?? [])]) add(name, value);
  for (const warning of run.warnings)
    add(warning.blocksApproval ? 'blocked' : 'warning', `${warning.path}: ${warning.text}`);
  for (const blocked of run.approveBlocked) add('no approval', blocked);
  for (const call of run.calls) {
    const entry = run.journal?.calls.find((one) => one.index === call.index);
    add(
      `call ${call.index}`,
      `${call.name} (id ${JSON.stringify(call.id)}): ${entry?.state.replaceAll('_', ' ') ?? (call.answered ? 'answered' : 'pending')}`,
    );
    const more = call.argumentsLength - call.argumentsText.length;
    lines.push(block(call.argumentsText === '' ? '(no arguments: an empty string)' : call.argumentsText, '    | '));
    if (more > 0) lines.push(`    (${more} more characters; use --json or the window)`);
    if (entry?.result !== undefined) lines.push(block(entry.result, '    > '));
    if (entry?.resultAt) lines.push(`    (the beginning of ${entry.resultAt.size} bytes; the window shows all)`);
  }
  if (run.decision)
    add(
      'decided',
      `${run.decision.rules ? 'a rule of ' : ''}${run.decision.reviewer.name} at ${run.decision.decidedAt}, claimable from ${run.decision.notBefore}`,
    );
  if (run.finalAnswer !== null) lines.push('  final answer', block(run.finalAnswer, '    > '));
  lines.push('  history', ...run.history.map((event) => `    ${eventInWords(event)}`));
  return lines.join('\n');
}

/** One event on one line. */
export function eventInWords(event: HistoryEvent): string {
  const who = event.by === null ? '' : ` by ${event.by}`;
  const call = event.call === null ? '' : ` call ${event.call}`;
  return oneLine(`${event.at || '-'} ${event.kind}${call}${who}: ${event.text}`, 400);
}
