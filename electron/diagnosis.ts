import type { Health } from '../shared/ipc.js';
import { maskSecrets } from '../shared/mask.js';
import type { Settings } from '../shared/settings.js';

export interface DiagnosisFacts {
  about: { version: string; electron: string; packaged: boolean; platform: string };
  node: string;
  health: Health;
  settings: Settings;
  /** What of the attention settings is not in force. */
  problems: readonly string[];
  /** The person's own folder, which stands as `~`. */
  home: string;
  /** RFC 3339. */
  at: string;
}

/**
 * A report about this Holdpoint that may be shown to others: versions, counts, and which kinds of things are set up. No
 * names, addresses, commands, keys, prompts, tools or anything of a record; paths below the person's folder without it.
 */
export function diagnosis({ about, node, health, settings, problems, home, at }: DiagnosisFacts): string {
  const own = (text: string): string => maskSecrets(home === '' ? text : text.replaceAll(home, '~'));
  const kinds = (list: readonly { kind: string }[]): string =>
    [...new Set(list.map(({ kind }) => kind))]
      .map((kind) => `${list.filter((one) => one.kind === kind).length} ${kind}`)
      .join(', ') || 'none';
  const { servers, models, sources, tools, gc, attention, undoSeconds, theme, singleKeys, keys, reviewer } = settings;
  const lines: [string, string | number][] = [
    ['Holdpoint', `${about.version}${about.packaged ? '' : ' (from its sources)'}`],
    ['Electron', about.electron],
    ['Node', node],
    ['System', about.platform],
    ['Time', at],
    ['Data folder', own(health.dataFolder)],
    ['Store', health.readOnly === null ? 'can be written' : own(health.readOnly)],
    ['Runs', health.runs],
    ['Unreadable', health.unreadable],
    ['Decided, not executed', health.decidedNotExecuted],
    [
      'Clean-up',
      `${gc.enabled ? `after ${gc.ttlHours} h, every ${gc.intervalMinutes} min` : 'off'}; last ${health.gc.lastAt ?? 'never'}`,
    ],
    ['Reviewer named', reviewer.trim() === '' ? 'no' : 'yes'],
    ['Undo window', `${undoSeconds} s`],
    ['Theme', theme],
    ['Keys', `${singleKeys ? 'on' : 'off'}, ${Object.keys(keys).length} changed`],
    ['Tool servers', kinds(servers)],
    ['Model endpoints', kinds(models)],
    [
      'Sources',
      `${sources.length}, ${sources.filter(({ profile }) => profile !== undefined).length} can continue here`,
    ],
    ['Rows of the tool table', tools.length],
    ['Notifications', attention.notifications ? 'on' : 'off'],
    ['Tray', attention.tray ? 'on' : 'off'],
    ...problems.map((problem): [string, string] => ['Not in force', own(problem)]),
  ];
  return lines.map(([name, value]) => `${name}: ${value}`).join('\n');
}
