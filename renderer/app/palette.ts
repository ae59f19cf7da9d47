import { VIEWS } from '../../shared/queue.js';
import { THEMES, type Theme } from '../../shared/settings.js';
import { type Action, type KeyRow, shownKeys } from '../keys.js';
import { useQueue } from '../queue/queue-store.js';
import { openRule } from '../rules/open-rule.js';
import { useSettings } from '../settings/settings-store.js';
import { text as words } from '../text.js';
import { addSamples, pickFiles } from './intake.js';
import { runAction } from './run-action.js';
import { noteRefusal } from './toast-store.js';
import { type Page, useUi } from './ui-store.js';

export interface Command {
  id: string;
  label: string;
  keys: readonly string[];
  run: () => void;
}

/** A command opens, shows, arms at most. What confirms or submits has its own key and button and nothing else. */
const NEVER: ReadonlySet<Action> = new Set<Action>(['enter', 'submit', 'palette']);

const PAGES: readonly Page[] = ['history', 'insight', 'settings'];

/** Everything that can be done from here: the table of keys, the places, and what only has a button. */
export function commands(rows: readonly KeyRow[]): Command[] {
  const fromKeys = rows
    .filter((row) => !NEVER.has(row.action))
    .map(
      ({ action, keys }): Command => ({
        id: action,
        label: words.help.action[action],
        keys: shownKeys(keys),
        // Like a click on its button: the guard judges the press, and names what is on screen now.
        run: () => runAction(action, (madeFor) => ({ by: 'click', clicks: 1, madeFor }), 'page'),
      }),
    );
  const places = [
    ...VIEWS.map((view) => ({
      label: words.view[view],
      run: () => {
        useQueue.getState().setView(view);
        useUi.getState().goTo('queue');
      },
    })),
    ...PAGES.map((page) => ({ label: words.page[page], run: () => useUi.getState().goTo(page) })),
  ].map(({ label, run }): Command => ({ id: `place:${label}`, label: words.palette.goTo(label), keys: [], run }));
  const themes = THEMES.map(
    (theme): Command => ({
      id: `theme:${theme}`,
      label: words.palette.theme[theme],
      keys: [],
      run: () => void setTheme(theme),
    }),
  );
  const others: Command[] = [
    { id: 'open-file', label: words.palette.dialog, keys: [], run: () => void pickFiles() },
    { id: 'make-rule', label: words.rules.make.command, keys: [], run: openRule },
    { id: 'samples', label: words.empty.samples, keys: [], run: () => void addSamples() },
  ];
  return [...fromKeys, ...places, ...others, ...themes];
}

/** Those in whose label every typed word occurs, upper or lower case; what begins with the first word comes first. */
export function found(all: readonly Command[], typed: string): Command[] {
  const parts = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = all.filter(({ label }) => parts.every((part) => label.toLowerCase().includes(part)));
  const [first] = parts;
  if (first === undefined) return hits;
  const begins = ({ label }: Command): boolean => label.toLowerCase().startsWith(first);
  return [...hits.filter(begins), ...hits.filter((hit) => !begins(hit))];
}

async function setTheme(theme: Theme): Promise<void> {
  const { settings, save } = useSettings.getState();
  const refusal = await save({ ...settings, theme });
  if (refusal) noteRefusal(refusal);
}
