import { z } from 'zod';
import { type JsonNode, member } from '../../../shared/json.js';
import { refusalAt } from '../refuse-record.js';
import { readStruct, type StructResult } from '../struct.js';
import { u32, u64 } from './numbers.js';
import { parseUuid } from './uuid.js';

/** The schema versions that runifold reads, for each kind of payload (FORMATS 5.2, 5.4). */
const VERSIONS: ReadonlyMap<string, readonly number[]> = new Map([
  ['runifold.agent', [1]],
  ['runifold.workflow', [3, 4]],
]);

/** runifold's own words for a kind or a version that it does not know. */
const UNSUPPORTED = 'InvalidPayload: checkpoint kind or schema version is not supported';

const text = z.string({ error: 'must be a text' });

/** Checkpoint (FORMATS 5.1): all seven keys are required, others are ignored. */
const Envelope = z
  .object(
    {
      id: text,
      revision: u64,
      run_id: text,
      kind: text,
      schema_version: u32,
      payload: z.custom<JsonNode>((value) => value !== undefined),
      updated_at_ms: u64,
    },
    { error: 'must be an object' },
  )
  .transform((fields) => ({ ...fields, kind: fields.kind as 'runifold.agent' | 'runifold.workflow' }));
export type Envelope = z.infer<typeof Envelope>;

interface Document {
  text: string;
  root: JsonNode;
}

/**
 * The envelope, without a look at the payload. A kind or schema version that nobody here knows is refused before
 * anything else, also in an envelope that lacks the rest (C44).
 */
export function readEnvelope(document: Document): StructResult<Envelope> {
  const unsupported = checkVersion(document);
  if (unsupported !== null) return { ok: false, refusal: unsupported };
  const struct = readStruct(Envelope, document, new Set(['payload']));
  if (!struct.ok) return struct;
  for (const field of ['id', 'run_id'] as const) {
    const canonical = parseUuid(struct.value[field]);
    if (canonical === null) {
      const words = `${field} ${JSON.stringify(struct.value[field])} is no UUID`;
      return { ok: false, refusal: refusalAt(document.text, document.root, [field], 'bad_id', words) };
    }
    struct.value[field] = canonical;
  }
  return struct;
}

function checkVersion({ text: whole, root }: Document) {
  const kind = member(root, 'kind');
  const version = member(root, 'schema_version');
  if (kind?.kind !== 'string') return null;
  const known = VERSIONS.get(kind.value);
  if (known === undefined) {
    const words = `${UNSUPPORTED}: kind ${JSON.stringify(kind.value)} belongs to another program (read here: ${[...VERSIONS.keys()].join(', ')})`;
    return refusalAt(whole, root, ['kind'], 'unsupported_kind', words);
  }
  if (version?.kind !== 'number' || !/^\d+$/.test(version.text) || known.includes(Number(version.text))) return null;
  const newer = Number(version.text) > Math.max(...known);
  const age = newer ? 'newer than this app can decide on' : 'older than this app reads';
  const words = `${UNSUPPORTED}: schema_version ${version.text} of ${kind.value} is ${age} (supported: ${known.join(', ')})`;
  return refusalAt(whole, root, ['schema_version'], newer ? 'newer_schema' : 'unsupported_schema', words);
}
