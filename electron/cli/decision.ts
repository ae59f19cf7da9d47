import { refused } from '../../shared/refusal.js';
import { type Command, sayRefused, withEngine } from './command.js';
import { EXIT } from './exit.js';
import { write } from './io.js';
import { escapeHidden } from './json.js';

export const decisionCommand: Command = {
  name: 'decision',
  usage: 'decision RUN',
  does: 'prints the signed decision of a run, to be kept, verified elsewhere or countersigned; with --json on one line',
  takes: [1, 1],
  options: {},
  run: (call) =>
    withEngine(call, async (engine) => {
      const run = await engine.show(call.positionals[0] ?? '');
      if (!run.ok) return sayRefused(call, run.refusal);
      const { decision } = run.value;
      if (decision === null)
        return sayRefused(call, refused('not_decided', 'Nobody has decided this run yet.').refusal);
      await write(call.io.stdout, `${escapeHidden(JSON.stringify(decision, null, call.json ? 0 : 2))}\n`);
      return EXIT.ok;
    }),
};
