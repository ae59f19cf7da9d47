import { basename } from 'node:path';
import { type Command, maybeText, sayRefused, withEngine } from './command.js';
import { EXIT } from './exit.js';
import { readInput } from './input.js';
import { write } from './io.js';
import { toJson } from './json.js';

/** What an executor of checkpoints says to a run in progress (starweaver S7). */
type ExecutionDecision = { kind: 'continue' } | { kind: 'suspend'; reason: string };

export const checkpointCommand: Command = {
  name: 'checkpoint',
  usage: 'checkpoint FILE|- [--source NAME]',
  does: 'keeps a checkpoint of a run in progress, and answers {"kind":"continue"} or {"kind":"suspend","reason":TEXT}',
  takes: [1, 1],
  options: { source: { type: 'string' } },
  async run(call) {
    const [file = ''] = call.positionals;
    const bytes = await readInput(file, call.io.stdin);
    if (!bytes.ok) return sayRefused(call, bytes.refusal);
    return withEngine(
      call,
      async (engine) => {
        const kept = await engine.suspend(bytes.value, {
          source: maybeText(call, 'source'),
          ...(file === '-' ? {} : { name: basename(file) }),
        });
        if (!kept.ok) return sayRefused(call, kept.refusal);
        const { state, classification } = engine.inspect(bytes.value);
        const answer: ExecutionDecision =
          state === 'waiting'
            ? { kind: 'suspend', reason: classification ?? 'it waits for a person' }
            : { kind: 'continue' };
        // The executor's own form, with and without --json: the program that asks goes by it.
        await write(call.io.stdout, `${toJson(answer)}\n`);
        return EXIT.ok;
      },
      { make: true },
    );
  },
};
