import { refused } from '../../shared/refusal.js';
import type { Ports } from '../ports.js';

const TEXT = 'Only the window calls tools and models itself; an agent does its own calls between start and report.';

/** Tool servers and models of a process that dispatches nothing (H11): every use is refused. */
export const noDispatch: Pick<Ports, 'tools' | 'models'> = {
  tools: { open: async () => refused('not_allowed', TEXT) },
  models: {
    reachable: async () => refused('not_allowed', TEXT),
    complete: async () => ({ kind: 'refused', status: 0, text: TEXT }),
  },
};
