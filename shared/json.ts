/** Placeholder types until the reader lands: see the issue. */
export type JsonNode = { kind: 'null'; start: number; end: number };
