import { hasHidden, reordersText, steersTerminal } from '../../shared/hidden-text.js';
import { mixedWords } from '../../shared/scripts.js';

/** What a row of a long text holds, for warnings about something in it. */
const HOLDS: Readonly<Record<string, (text: string) => boolean>> = {
  hidden_characters: hasHidden,
  reordering_characters: reordersText,
  terminal_sequence: steersTerminal,
  mixed_scripts: (text) => mixedWords(text, 1).length > 0,
  integer_past_2_53: (text) => /\d{16,}/.test(text),
};

/** The first row that a warning of this code may mean, or -1. */
export function rowOfWarning(code: string, rows: readonly { text: string }[]): number {
  const holds = HOLDS[code];
  return holds === undefined ? -1 : rows.findIndex((row) => holds(row.text));
}
