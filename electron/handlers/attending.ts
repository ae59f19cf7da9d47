import { accepted } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import type { WindowSystem } from '../shell/holdpoint.js';

/** What the desktop's side has to tell the window. */
export function attending(
  system: Pick<WindowSystem, 'takeWanted' | 'attentionProblems'>,
): Pick<Handlers, 'app:wanted' | 'app:attention'> {
  return {
    'app:wanted': async () => accepted(await system.takeWanted()),
    'app:attention': async () => accepted({ problems: await system.attentionProblems() }),
  };
}
