import type { DuplicateKey, JsonNode, JsonObject } from '../../../shared/json.js';
import type { Envelope } from './envelope.js';

/** A checkpoint that passed the strict reader, with the places of its parts in the text. */
export interface View {
  text: string;
  root: JsonNode;
  envelope: Envelope;
  /** Path of the payload in the record. */
  base: readonly string[];
  payload: JsonObject;
  resume: JsonObject;
  state: JsonObject;
  duplicates: readonly DuplicateKey[];
}
