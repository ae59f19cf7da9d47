import { type Command, callNumber, say, text, withEngine } from './command.js';

export const startCommand: Command = {
  name: 'start',
  usage: 'start RUN --call N --token T',
  does: 'says that you begin call N now; refused when it was begun before, since it may have run',
  takes: [1, 1],
  options: { call: { type: 'string' }, token: { type: 'string' } },
  needs: ['call', 'token'],
  async run(call) {
    const index = callNumber(call);
    return withEngine(call, async (engine) => {
      const started = await engine.start(call.positionals[0] ?? '', index, { token: text(call, 'token') });
      return say(call, started, () => `call ${index} is started; run it now, once, and report what came of it`);
    });
  },
};
