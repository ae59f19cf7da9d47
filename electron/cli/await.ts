import { accepted } from '../../shared/refusal.js';
import { suspensionText } from '../checkpoints/keys.js';
import type { HandOver } from '../engine.js';
import { type Command, maybeText, say, text, UsageError, withEngine } from './command.js';
import { block, oneLine } from './text.js';

export const awaitCommand: Command = {
  name: 'await',
  usage: 'await RUN --token T [--timeout SECONDS]',
  does: 'waits for the decision and claims the run for your token; ask again with the same token, get the same answer',
  takes: [1, 1],
  options: { token: { type: 'string' }, timeout: { type: 'string' } },
  needs: ['token'],
  async run(call) {
    const timeoutMs = milliseconds(maybeText(call, 'timeout'));
    return withEngine(call, async (engine) => {
      const answer = await engine.await(call.positionals[0] ?? '', { token: text(call, 'token'), timeoutMs });
      const outcome = answer.ok ? accepted({ run: suspensionText(answer.value.suspension), ...answer.value }) : answer;
      return say(call, outcome, inWords);
    });
  },
};

function milliseconds(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  const value = /^\d{1,9}(\.\d{1,6})?$/.test(seconds) ? Number(seconds) : Number.NaN;
  if (Number.isNaN(value)) throw new UsageError(`--timeout takes seconds, such as 30; not ${JSON.stringify(seconds)}`);
  return value * 1000;
}

function inWords(answer: HandOver & { run: string }): string {
  const { decision } = answer;
  const lines = [
    `${oneLine(answer.run)}: decided by ${oneLine(decision.reviewer.name)} at ${decision.decidedAt}; claimed for you`,
  ];
  if (decision.step)
    lines.push(
      `  step        ${decision.step.verdict}${decision.step.reason ? `: ${oneLine(decision.step.reason)}` : ''}`,
    );
  for (const call of answer.calls) {
    lines.push(
      `  call ${call.index}      ${call.verdict} ${oneLine(call.name)} (id ${oneLine(JSON.stringify(call.id))})`,
    );
    lines.push(block(call.answer ?? call.arguments, call.answer === null ? '    | ' : '    > '));
  }
  if (answer.systemDecision !== null)
    lines.push(`  ${answer.decision.suspension.system} decision`, block(answer.systemDecision, '    '));
  for (const note of answer.notes) lines.push(`  note        ${oneLine(note)}`);
  lines.push('  The record to resume from is in the JSON form of this answer (--json).');
  return lines.join('\n');
}
