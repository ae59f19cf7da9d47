import { accepted } from '../../shared/refusal.js';
import { type Command, say, withEngine } from './command.js';
import { eventInWords } from './show.js';

export const historyCommand: Command = {
  name: 'history',
  usage: 'history [RUN]',
  does: 'tells what happened: to one run in order, or to all, newest first',
  takes: [0, 1],
  options: {},
  run: (call) =>
    withEngine(call, async (engine) => {
      const events = await engine.history(call.positionals[0]);
      const outcome = events.ok ? accepted({ events: events.value }) : events;
      return say(call, outcome, ({ events: told }) =>
        told.length === 0 ? 'Nothing has happened yet.' : told.map(eventInWords).join('\n'),
      );
    }),
};
