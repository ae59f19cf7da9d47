import { type JsonArray, type JsonNode, type JsonObject, member, readJson } from '../../../shared/json.js';

/** The places in a klieo record's text that Holdpoint may patch. */
export interface Parts {
  text: string;
  root: JsonObject;
  messages: JsonArray;
  /** Null when the record has no list of calls. */
  pending: JsonArray | null;
  latch: JsonNode | undefined;
}

/** For a record that was read before; an unreadable one is a fault of the caller. */
export function partsOf(bytes: Uint8Array): Parts {
  const document = readJson(bytes);
  if (!document.ok) throw new Error(`not a readable klieo record: ${document.fault.text}`);
  const { text, root } = document;
  const messages = member(root, 'messages');
  const pending = member(root, 'pending_tool_calls');
  if (root.kind !== 'object' || messages?.kind !== 'array') throw new Error('not a readable klieo record');
  return {
    text,
    root,
    messages,
    pending: pending?.kind === 'array' ? pending : null,
    latch: member(root, 'resume_attempted'),
  };
}
