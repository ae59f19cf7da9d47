import type { HistoryEvent } from '../../shared/history-event.js';
import { rulesIn, saidIn, toolsOf } from '../../shared/history-filter.js';
import { maskSecrets } from '../../shared/mask.js';
import { escapeHidden } from '../cli/json.js';
import { visible } from '../cli/text.js';
import { masked } from './mask-facts.js';

export const HISTORY_FORMATS = ['jsonl', 'csv'] as const;
export type HistoryFormat = (typeof HISTORY_FORMATS)[number];

const COLUMNS = [
  'at',
  'kind',
  'by',
  'system',
  'source',
  'run',
  'suspension',
  'call',
  'tools',
  'verdicts',
  'rules',
  'text',
  'digest',
  'decision',
  'facts',
] as const;

/** What stands before the first event. */
export const beginningOf = (format: HistoryFormat): string => (format === 'csv' ? `${COLUMNS.join(',')}\r\n` : '');

/** One event as one line: JSON with nothing left out, or a row of CSV (RFC 4180). Secrets are masked, as on screen. */
export function lineOf(whole: HistoryEvent, format: HistoryFormat): string {
  const event = { ...whole, text: maskSecrets(whole.text), facts: masked(whole.facts) };
  if (format === 'jsonl') return `${escapeHidden(JSON.stringify(event))}\n`;
  const { suspension: key, facts } = event;
  const cells: Record<(typeof COLUMNS)[number], string> = {
    at: event.at,
    kind: event.kind,
    by: event.by ?? '',
    system: key?.system ?? '',
    source: key?.source ?? '',
    run: key?.runId ?? '',
    suspension: key === null ? '' : String(key.seq),
    call: event.call === null ? '' : String(event.call),
    tools: toolsOf(event).join(' '),
    verdicts: saidIn(event).join(' '),
    rules: rulesIn(event).join('; '),
    text: event.text,
    digest: textOf(facts['digest']),
    decision: textOf(facts['decisionId']),
    facts: JSON.stringify(facts),
  };
  return `${COLUMNS.map((column) => cell(cells[column])).join(',')}\r\n`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a spreadsheet would take for a formula, also behind spaces; the full-width forms are taken for the same. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

/**
 * A cell that is only ever read as text (OWASP, CSV injection): every cell is quoted, quotes are doubled, and one that a
 * spreadsheet would calculate begins with an apostrophe. Characters that nobody would see become marks.
 */
export function cell(text: string): string {
  return `"${FORMULA.test(text) ? "'" : ''}${visible(text).replaceAll('"', '""')}"`;
}
