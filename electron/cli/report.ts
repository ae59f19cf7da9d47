import { type Command, callNumber, maybeText, say, sayRefused, text, UsageError, withEngine } from './command.js';
import { readText } from './input.js';

export const reportCommand: Command = {
  name: 'report',
  usage: 'report RUN --call N --token T (--result FILE|- | --error TEXT)',
  does: 'says what came of a started call; a result is the whole text of a file',
  takes: [1, 1],
  options: {
    call: { type: 'string' },
    token: { type: 'string' },
    result: { type: 'string' },
    error: { type: 'string' },
  },
  needs: ['call', 'token'],
  async run(call) {
    const index = callNumber(call);
    const token = text(call, 'token');
    const [file, error] = [maybeText(call, 'result'), maybeText(call, 'error')];
    if ((file === undefined) === (error === undefined)) throw new UsageError('give either --result or --error');
    const result = file === undefined ? null : await readText(file, call.io.stdin);
    if (result !== null && !result.ok) return sayRefused(call, result.refusal);
    return withEngine(call, async (engine) => {
      const said = result === null ? { token, error: error ?? '' } : { token, result: result.value };
      return say(
        call,
        await engine.report(call.positionals[0] ?? '', index, said),
        () => `call ${index} is ${result === null ? 'failed' : 'done'}`,
      );
    });
  },
};
