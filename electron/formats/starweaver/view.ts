import { z } from 'zod';
import type { ReadRefusal } from '../../../shared/checkpoint.js';
import { readJson } from '../../../shared/json.js';
import { pathText } from '../../../shared/json-path.js';
import { refusalAt, refusalOf } from '../refuse-record.js';
import { readStruct } from '../struct.js';
import { findContradiction } from './consistency.js';
import { openEnvelope } from './envelope.js';
import { CHECKPOINT } from './names.js';
import { bareNeighbour } from './neighbour-kinds.js';
import { objectOf, textOf } from './nodes.js';
import type { View } from './parsed-view.js';
import { OBJECT, OPAQUE } from './scalars.js';
import { Checkpoint } from './shape.js';

export type Viewed = { ok: true; view: View } | { ok: false; refusal: ReadRefusal };

const Enveloped = z.object({ payload: Checkpoint }, { error: OBJECT });

/** Reads a checkpoint as starweaver does, v1 or bare v0 (S1, S2), and refuses one that contradicts itself (I5, S11). */
export function viewOf(bytes: Uint8Array): Viewed {
  const document = readJson(bytes);
  if (!document.ok) return { ok: false, refusal: refusalOf(document.fault) };
  const { text, root, duplicates } = document;
  const refuse = (path: readonly string[], code: string, words: string): Viewed => ({
    ok: false,
    refusal: refusalAt(text, root, path, code, words),
  });
  const neighbour = bareNeighbour(root);
  if (neighbour !== null) return refuse([], neighbour.code, neighbour.words);
  const opened = openEnvelope(document, CHECKPOINT, { bareV0: true });
  if (!opened.ok) return opened;
  const schema: z.ZodType<unknown> = opened.envelope === 'v1' ? Enveloped : Checkpoint;
  const struct = readStruct(schema, document, OPAQUE);
  if (!struct.ok) return struct;
  const { payload, envelope, path: base } = opened;
  const [resume, state] = [objectOf(payload, 'resume'), objectOf(payload, 'state')];
  if (payload.kind !== 'object' || resume === undefined || state === undefined) {
    throw new Error('a checkpoint that fits its shape has resume and state');
  }
  for (const key of ['run_id', 'checkpoint_id']) {
    const path = [...base, key];
    if (textOf(payload, key) === '') return refuse(path, 'bad_run_id', `${pathText(path)} is empty: it names nothing`);
  }
  const view: View = { text, root, envelope, base, payload, resume, state, duplicates };
  const contradiction = findContradiction(view);
  if (contradiction === null) return { ok: true, view };
  return refuse(contradiction.path, 'IdentityMismatch', `the record contradicts itself: ${contradiction.words}`);
}

/** The same for a record that was read before; an unreadable one is a fault of the caller. */
export function viewAgain(bytes: Uint8Array): View {
  const viewed = viewOf(bytes);
  if (!viewed.ok) throw new Error(`not a readable starweaver record: ${viewed.refusal.text}`);
  return viewed.view;
}
