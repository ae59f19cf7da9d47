import { homedir } from 'node:os';
import { accepted } from '../../shared/refusal.js';
import { formatNs } from '../../shared/time.js';
import type { Handlers } from '../answering.js';
import { diagnosis } from '../diagnosis.js';
import { guarded } from '../store/refusal.js';
import type { Context } from './context.js';

/** The report that a person may give to others. `health` is the window's own. */
export function diagnosing(
  { shell, settings, ports }: Context,
  health: Handlers['app:health'],
): Pick<Handlers, 'app:diagnose'> {
  return {
    'app:diagnose': () =>
      guarded(async () => {
        const now = await health();
        if (!now.ok) return now;
        return accepted(
          diagnosis({
            about: await shell.system.about(),
            node: process.versions.node,
            health: now.value,
            settings: settings.get(),
            problems: await shell.system.attentionProblems(),
            home: homedir(),
            at: formatNs(ports.clock.now()),
          }),
        );
      }),
  };
}
