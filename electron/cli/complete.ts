import { type Command, maybeText, say, sayRefused, text, UsageError, withEngine } from './command.js';
import { readText } from './input.js';

export const completeCommand: Command = {
  name: 'complete',
  usage: 'complete RUN --token T [--answer TEXT | --answer-file FILE|-]',
  does: 'says that your run is over; refused while a call has no outcome',
  takes: [1, 1],
  options: { token: { type: 'string' }, answer: { type: 'string' }, 'answer-file': { type: 'string' } },
  needs: ['token'],
  async run(call) {
    const token = text(call, 'token');
    const [words, file] = [maybeText(call, 'answer'), maybeText(call, 'answer-file')];
    if (words !== undefined && file !== undefined) throw new UsageError('give either --answer or --answer-file');
    // The text of --answer is never taken for a file's name: a model may have written it.
    const read = file === undefined ? null : await readText(file, call.io.stdin);
    if (read !== null && !read.ok) return sayRefused(call, read.refusal);
    return withEngine(call, async (engine) => {
      const completed = await engine.complete(call.positionals[0] ?? '', { token, answer: read?.value ?? words });
      return say(call, completed, () => 'the run is completed');
    });
  },
};
