import type { JsonNode, JsonObject } from './json-node.js';

/** What a call would do to one file, as its arguments say it. Texts are decoded strings. */
export type FileEdit =
  | { kind: 'write'; path: string; content: string }
  | { kind: 'replace'; path: string | null; changes: { before: string; after: string }[] }
  /** A patch in unified or agent form; `path` where the arguments name one beside it. */
  | { kind: 'patch'; path: string | null; patch: string };

const PATH = ['path', 'file_path', 'filepath', 'file', 'filename', 'target_file', 'target'];
const CONTENT = ['content', 'contents', 'file_text', 'new_content', 'text'];
const BEFORE_AFTER: readonly (readonly [string, string])[] = [
  ['old_text', 'new_text'],
  ['old_string', 'new_string'],
  ['old_str', 'new_str'],
  ['search', 'replace'],
];
const PATCH = ['patch', 'diff', 'input'];
const LOOKS_LIKE_PATCH = /^(?:--- \S.*\r?\n\+\+\+ \S|diff --git |\*\*\* Begin Patch|@@ .*@@)/m;

/** Reads a file edit from the arguments of a call, or null when they are none. Repeated keys leave it open: null. */
export function fileEditOf(root: JsonNode): FileEdit | null {
  if (root.kind !== 'object') return null;
  const path = stringOf(root, PATH);
  const patch = stringOf(root, PATCH);
  if (patch !== null && LOOKS_LIKE_PATCH.test(patch)) return { kind: 'patch', path, patch };
  const single = changeOf(root);
  if (single !== null) return { kind: 'replace', path, changes: [single] };
  const list = only(root, 'edits') ?? only(root, 'changes');
  if (list?.kind === 'array' && list.items.length > 0) {
    const changes = list.items.map((item) => (item.kind === 'object' ? changeOf(item) : null));
    if (changes.every((change) => change !== null)) return { kind: 'replace', path, changes };
  }
  const content = stringOf(root, CONTENT);
  return path !== null && content !== null ? { kind: 'write', path, content } : null;
}

function changeOf(object: JsonObject): { before: string; after: string } | null {
  for (const [old, fresh] of BEFORE_AFTER) {
    const before = stringOf(object, [old]);
    const after = stringOf(object, [fresh]);
    if (before !== null && after !== null) return { before, after };
  }
  return null;
}

/** The first of these names that holds a text; `oldText` is read as `old_text`. */
function stringOf(object: JsonObject, names: readonly string[]): string | null {
  for (const name of names) {
    const node = only(object, name);
    if (node?.kind === 'string') return node.value;
  }
  return null;
}

function only(object: JsonObject, name: string): JsonNode | null {
  const found = object.entries.filter(({ key }) => snake(key) === name);
  return found.length === 1 ? (found[0]?.value ?? null) : null;
}

const snake = (key: string): string => key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
