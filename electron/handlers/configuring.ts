import { isAbsolute } from 'node:path';
import { accepted, refused } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { allRules, pauseRules } from '../checkpoints/rules/records.js';
import { guarded } from '../store/refusal.js';
import { asked } from './asked.js';
import type { Context } from './context.js';

type Configuring = Pick<
  Handlers,
  | 'app:info'
  | 'store:take-over'
  | 'settings:get'
  | 'settings:set'
  | 'secret:set'
  | 'server:test'
  | 'model:test'
  | 'gc:sweep'
  | 'link:open'
>;

export function configuring(context: Context): Configuring {
  const { settings, secrets, tools, models, gc, runner, shell } = context;
  return {
    'app:info': async () => accepted(await shell.system.about()),
    'link:open': async (address) => accepted(await shell.system.openLink(address)),
    'settings:get': () => accepted(settings.get()),
    'settings:set': async (next) => {
      const relative = next.servers.find((server) => server.kind === 'stdio' && !isAbsolute(server.command));
      if (relative)
        return refused('bad_request', `Tool server "${relative.name}": the command must be an absolute path.`, {
          server: relative.name,
        });
      const before = settings.get();
      const saved = await settings.set(next);
      if (!saved.ok) return saved;
      // A raised or lowered ttl, or another interval, starts the timer anew; runs that waited for settings are tried.
      if (JSON.stringify(before.gc) !== JSON.stringify(saved.value.gc)) gc.start();
      runner.nudge();
      void context.rules.lookAgain();
      shell.broadcast('settings:changed');
      shell.broadcast('runs:changed');
      return saved;
    },
    'secret:set': (name, key) =>
      guarded(async () => {
        const kept = await secrets.set(name, key);
        if (kept.ok) runner.nudge();
        return kept.ok ? accepted({ stored: kept.value }) : kept;
      }),
    'server:test': async (name) => accepted(await tools.testServer(name)),
    'model:test': async (name) => accepted(await models.testModel(name)),
    'store:take-over': () =>
      guarded(async () => {
        const name = settings.get().reviewer.trim();
        if (name === '')
          return refused('not_allowed', 'Enter your name first: taking a store over carries one.', {
            missing: 'reviewer',
          });
        if (context.store.readOnlyReason === null) return accepted(null);
        const agreed = await asked(shell, {
          message: 'Take this store over?',
          detail: `${context.store.readOnlyReason}\n\n${context.dataFolder}\n\nOnly when no other Holdpoint works with the original: the same call could fire there as well. Rules stay paused.`,
          yes: 'Take it over',
        });
        if (!agreed.ok) return agreed;
        await context.store.takeOver(name);
        // Rules were made for the store as it was where it came from: a person lets them go on here.
        if ((await allRules(context.store)).length > 0) await pauseRules(context.store, context.ports, true, name);
        await context.begin();
        shell.broadcast('runs:changed');
        return accepted(null);
      }),
    'gc:sweep': () =>
      guarded(async () => {
        await gc.sweepNow();
        return accepted(gc.report);
      }),
  };
}
