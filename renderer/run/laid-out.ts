import { useEffect, useState } from 'react';
import type { JsonNode } from '../../shared/json.js';
import { inSlices } from '../app/slices.js';
import { prettyLines, prettySteps } from './pretty.js';

/** Longer values are laid out in steps. */
const AT_ONCE = 128 * 1024;

/** A value as text to read: a string as itself, anything else over lines. Null while a long one is laid out. */
export function useLaidOut(source: string, node: JsonNode): string | null {
  const [text, setText] = useState<string | null>(() => atOnce(source, node));
  useEffect(() => {
    const now = atOnce(source, node);
    setText(now);
    if (now !== null) return;
    let current = true;
    void inSlices(prettySteps(source, node)).then((lines) => {
      if (current) setText(lines.join('\n'));
    });
    return () => {
      current = false;
    };
  }, [source, node]);
  return text;
}

function atOnce(source: string, node: JsonNode): string | null {
  if (node.kind === 'string') return node.value;
  return node.end - node.start <= AT_ONCE ? prettyLines(source, node).join('\n') : null;
}
