import type { Refusal } from '../../shared/refusal.js';

/** The exit codes; `holdpoint help` and docs/AGENTS.md name them. */
export const EXIT = {
  ok: 0,
  refused: 1,
  usage: 2,
  notDecided: 3,
  unreadable: 4,
  store: 5,
} as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of a refusal. */
export function exitOf({ code }: Pick<Refusal, 'code'>): Exit {
  switch (code) {
    case 'bad_request':
      return EXIT.usage;
    case 'not_decided':
    case 'undo_window':
    case 'second_signature':
      return EXIT.notDecided;
    case 'unreadable':
    case 'unknown_format':
    case 'too_large':
      return EXIT.unreadable;
    case 'store_full':
    case 'store_read_only':
    case 'store_corrupt':
    case 'in_doubt':
    case 'not_home':
    case 'fault':
      return EXIT.store;
    default:
      return EXIT.refused;
  }
}
