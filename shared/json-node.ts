/**
 * One value of a JSON text, with its place. `start` and `end` are offsets into the decoded text in UTF-16 units, so that
 * `text.slice(start, end)` is the value exactly as written.
 */
export type JsonNode = JsonObject | JsonArray | JsonString | JsonNumber | JsonBoolean | JsonNull;

interface JsonEntry {
  /** Decoded: `"\u0074o"` and `"to"` are one key. */
  key: string;
  keyStart: number;
  keyEnd: number;
  value: JsonNode;
}
export interface JsonObject {
  kind: 'object';
  start: number;
  end: number;
  /** In the order written, duplicates included. */
  entries: JsonEntry[];
}
export interface JsonArray {
  kind: 'array';
  start: number;
  end: number;
  items: JsonNode[];
}
interface JsonString {
  kind: 'string';
  start: number;
  end: number;
  value: string;
}
/** `text` keeps every digit as written; nothing here turns it into a double (I6). */
interface JsonNumber {
  kind: 'number';
  start: number;
  end: number;
  text: string;
}
interface JsonBoolean {
  kind: 'boolean';
  start: number;
  end: number;
  value: boolean;
}
interface JsonNull {
  kind: 'null';
  start: number;
  end: number;
}
