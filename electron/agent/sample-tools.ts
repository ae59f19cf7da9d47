import type { ToolClaims } from '../../shared/tool-table.js';

export interface SampleTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  properties: Readonly<Record<string, { type: string | string[]; description?: string }>>;
  required: readonly string[];
  claims: ToolClaims;
  /** The answer to one call, from its arguments. */
  answer(args: Readonly<Record<string, unknown>>): string;
}

const said = (value: unknown, otherwise: string): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;

/** The tools of the built-in sample server: a small shop's back office. None of them reaches anything real. */
export const SAMPLE_TOOLS: readonly SampleTool[] = [
  {
    name: 'issue_refund',
    description: 'Pays money back to a customer.',
    properties: {
      order: { type: ['string', 'integer'] },
      amount: { type: 'number' },
      currency: { type: 'string' },
    },
    required: ['order', 'amount', 'currency'],
    claims: { readOnly: false, idempotent: false },
    answer: (args) => `Refund of ${said(args['amount'], 'the amount')} ${said(args['currency'], '')} is booked.`,
  },
  {
    name: 'send_email',
    description: 'Sends an e-mail from the shop’s address.',
    properties: { to: { type: 'string' }, subject: { type: 'string' }, body: { type: 'string' } },
    required: ['to', 'subject', 'body'],
    claims: { readOnly: false, idempotent: false },
    answer: (args) => `Sent to ${said(args['to'], 'the customer')}.`,
  },
  {
    name: 'search_kb',
    description: 'Looks something up in the shop’s own handbook.',
    properties: { query: { type: 'string' } },
    required: ['query'],
    claims: { readOnly: true },
    answer: (args) => `One page found for “${said(args['query'], '')}”: returns are taken back within 30 days.`,
  },
  {
    name: 'get_invoice',
    description: 'Reads one invoice.',
    properties: { number: { type: 'string' } },
    required: ['number'],
    claims: { readOnly: true },
    answer: (args) => `Invoice ${said(args['number'], '')}: 49.90 EUR, paid by card.`,
  },
  {
    name: 'write_file',
    description: 'Writes a file in the shop’s shared folder, replacing what was there.',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path', 'content'],
    claims: { readOnly: false, idempotent: true },
    answer: (args) => `Written: ${said(args['path'], 'the file')}.`,
  },
  {
    name: 'delete_records',
    description: 'Deletes every row of a table that matches; a limit of null means all of them.',
    properties: {
      table: { type: 'string' },
      where: { type: ['object', 'null'] },
      limit: { type: ['integer', 'null'] },
    },
    required: ['table', 'where', 'limit'],
    claims: { readOnly: false, destructive: true, idempotent: false },
    answer: (args) => `Rows deleted from ${said(args['table'], 'the table')}.`,
  },
];
