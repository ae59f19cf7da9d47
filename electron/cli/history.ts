import { accepted } from '../../shared/refusal.js';
import { type Call, type Command, say, UsageError, withEngine } from './command.js';
import type { Exit } from './exit.js';
import { eventInWords } from './show.js';
import { verify } from './verify.js';

export const historyCommand: Command = {
  name: 'history',
  usage: 'history [RUN] | history --verify [--anchor HASH]',
  does: 'tells what happened: to one run in order, or to all, newest first; --verify checks that none of it was changed',
  takes: [0, 1],
  options: { verify: { type: 'boolean' }, anchor: { type: 'string' } },
  run: (call) => (call.values['verify'] === true ? verifyAll(call) : tell(call)),
};

async function verifyAll(call: Call): Promise<Exit> {
  if (call.positionals.length > 0) throw new UsageError('--verify checks the whole history; leave the run out');
  return verify(call);
}

function tell(call: Call): Promise<Exit> {
  if (call.values['anchor'] !== undefined) throw new UsageError('--anchor goes with --verify');
  return withEngine(call, async (engine) => {
    const events = await engine.history(call.positionals[0]);
    const outcome = events.ok ? accepted({ events: events.value }) : events;
    return say(call, outcome, ({ events: told }) =>
      told.length === 0 ? 'Nothing has happened yet.' : told.map(eventInWords).join('\n'),
    );
  });
}
