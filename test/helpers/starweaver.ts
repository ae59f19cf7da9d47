import { readFileSync } from 'node:fs';
import { readRecord } from '../../electron/formats/read-record.js';
import { textDigest } from '../../electron/formats/text-digest.js';
import type { NormalRecord } from '../../shared/checkpoint.js';
import type { Decision, Verdict } from '../../shared/decision.js';

const FOLDER = new URL('../fixtures/starweaver/', import.meta.url);

export const fixture = (file: string): Uint8Array => readFileSync(new URL(file, FOLDER));
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const ONE = '01-waiting-one-approval.json';
export const TWO = '02-waiting-parallel-one-already-executed.json';
export const DEFERRED = '03-waiting-approval-and-deferred.json';
export const BARE = '07-bare-v0-waiting.json';
export const UNBOUND = '12-waiting-without-reviewed-arguments.json';
export const MEDIA = '18-multimodal-history.json';
export const RUN = 'run_5f0e2c1a-8d3b-4b6e-9a77-1c2d3e4f5a6b';
export const CALL_A = 'sw-tool-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
export const CALL_B = 'sw-tool-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';
export const CALL_C = 'sw-tool-cccccccccccccccccccccccccccccccc';
export const CALL_D = 'sw-tool-dddddddddddddddddddddddddddddddd';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A fixture with some values set by their paths; undefined removes one. */
export function changed(file: string, changes: Record<string, Json | undefined>): Uint8Array {
  const root: Json = JSON.parse(textOf(fixture(file)));
  for (const [path, value] of Object.entries(changes)) setAt(root, path.split('/'), value);
  return bytesOf(JSON.stringify(root));
}

function setAt(node: Json | undefined, [first = '', ...rest]: string[], value: Json | undefined): void {
  if (typeof node !== 'object' || node === null) throw new Error(`nothing at ${first}`);
  if (rest.length > 0) {
    setAt(Array.isArray(node) ? node[Number(first)] : node[first], rest, value);
  } else if (Array.isArray(node)) {
    if (value === undefined) node.splice(Number(first), 1);
    else node[Number(first)] = value;
  } else if (value === undefined) {
    delete node[first];
  } else {
    node[first] = value;
  }
}

export function recordOf(bytes: Uint8Array): NormalRecord {
  const read = readRecord(bytes);
  if (!read.ok) throw new Error(read.refusal.text);
  return read.record;
}

export function refusalOf(bytes: Uint8Array) {
  const read = readRecord(bytes);
  if (read.ok) throw new Error('accepted');
  return { ...read.refusal, system: read.system };
}

export type Said = Partial<Verdict> & Pick<Verdict, 'verdict'>;
export const approve: Said = { verdict: 'approve' };
export const reject = (reason?: string): Said => ({ verdict: 'reject', ...(reason === undefined ? {} : { reason }) });
export const edit = (editedArguments: string): Said => ({
  verdict: 'approve',
  editedArguments,
  editedSha256: textDigest(editedArguments),
});

/** What a reviewer said about the calls of a record, in their order. */
export function decide(record: NormalRecord, said: readonly Said[], more: Partial<Decision> = {}): Decision {
  return {
    v: 1,
    decisionId: '01K0QZ6V5M3H8D7N2B4C9F1XGB',
    suspension: { system: 'starweaver', source: 'inbox', runId: record.runId, seq: 1 },
    resumeStep: record.resumeStep,
    revision: 1,
    digest: '',
    verdicts: said.map((verdict, index) => ({
      index,
      argumentsSha256: record.pending?.[index]?.argumentsSha256 ?? '',
      ...verdict,
    })),
    reviewer: { name: 'ana' },
    decidedAt: '2026-07-20T10:00:00Z',
    notBefore: '2026-07-20T10:00:05Z',
    signatures: [],
    ...more,
  };
}
