import { accepted } from '../../shared/refusal.js';
import { TEAM_SECRET } from '../../shared/settings.js';
import type { Handlers } from '../answering.js';
import { examineTeam } from '../sync/nats/examine.js';
import type { Context } from './context.js';

/** Tries the saved connection to the shared engine; it changes nothing there but a key of the probe's own, which goes. */
export function teaming({ settings, secrets }: Context): Pick<Handlers, 'team:test'> {
  return {
    'team:test': async () => {
      const { team, reviewer } = settings.get();
      return accepted(await examineTeam(team, await secrets.get(TEAM_SECRET), reviewer.trim()));
    },
  };
}
