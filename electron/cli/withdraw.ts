import { type Command, say, withEngine } from './command.js';

export const withdrawCommand: Command = {
  name: 'withdraw',
  usage: 'withdraw RUN',
  does: 'takes a run back while nobody has decided it',
  takes: [1, 1],
  options: {},
  run: (call) =>
    withEngine(call, async (engine) =>
      say(call, await engine.withdraw(call.positionals[0] ?? ''), () => 'the run is withdrawn'),
    ),
};
