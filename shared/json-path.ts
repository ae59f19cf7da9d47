const PLAIN = /^[A-Za-z_$][\w$-]*$/;
const LONGEST = 120;

/** A path as a person writes it: `pending_tool_calls[0].args["a b"]`. Long keys are cut, with their length. */
export function pathText(parts: readonly (string | number)[]): string {
  let path = '';
  for (const part of parts) path = childPath(path, part);
  return path;
}

export function childPath(path: string, part: string | number): string {
  if (typeof part === 'number') return `${path}[${part}]`;
  if (!PLAIN.test(part) || part.length > LONGEST) return `${path}[${keyText(part)}]`;
  return path === '' ? part : `${path}.${part}`;
}

/** A key in quotes; more than 120 characters are cut. */
function keyText(key: string): string {
  return key.length <= LONGEST
    ? JSON.stringify(key)
    : `${JSON.stringify(key.slice(0, LONGEST))}… ${key.length} characters`;
}
