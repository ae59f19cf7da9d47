import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { Settings } from '../../shared/settings.js';
import type { Question } from './holdpoint.js';
import { weakenings } from './weakenings.js';

/** More than this no dialog shows; the rest is counted. */
const SHOWN = 12;

let last: Promise<unknown> = Promise.resolve();

/**
 * The only way into the settings file. The page may write settings, but what weakens safety needs a person's answer to a
 * question of the system's own, which no script in the page can draw, cover or answer. One change after the other, so that
 * each is compared with what really stands.
 */
export function guardedSettings(
  file: { get(): Settings; set(next: Settings): Settings },
  next: Settings,
  ask: (question: Question) => Promise<boolean>,
): Promise<Outcome<Settings>> {
  const store = async (): Promise<Outcome<Settings>> => {
    const weaker = weakenings(file.get(), next);
    if (weaker.length > 0 && !(await ask(questionOf(weaker))))
      return refused('not_allowed', 'You declined the change, so nothing was saved.', { declined: weaker });
    return accepted(file.set(next));
  };
  const stored = last.then(store);
  last = stored.catch(() => undefined);
  return stored;
}

function questionOf(weaker: readonly string[]): Question {
  const rest = weaker.length - SHOWN;
  const lines = weaker.slice(0, SHOWN).map((line) => `• ${line}`);
  return {
    message: 'Change what keeps you safe?',
    detail: [...lines, ...(rest > 0 ? [`• and ${rest} more`] : []), '', 'Go on only if you made this change.'].join(
      '\n',
    ),
    yes: 'Change it',
    no: 'Leave it as it is',
  };
}
