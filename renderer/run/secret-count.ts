import { useEffect, useState } from 'react';
import { secretSpans } from '../../shared/secret-spans.js';
import { inSlices } from '../app/slices.js';

/** Longer texts are counted in pieces of this size, with something of both neighbours around each. */
const PIECE = 64 * 1024;
const MARGIN = 2_048;

/** How many secrets a text holds; counted in steps where it is long, and told when it is known. */
export function useSecretCount(text: string | null): number {
  const [counted, setCounted] = useState<{ text: string; count: number } | null>(null);
  const isShort = text !== null && text.length <= PIECE;
  useEffect(() => {
    if (text === null || isShort) return;
    let current = true;
    void inSlices(countSteps(text)).then((count) => {
      if (current) setCounted({ text, count });
    });
    return () => {
      current = false;
    };
  }, [text, isShort]);
  if (text === null) return 0;
  if (isShort) return secretSpans(text).length;
  return counted?.text === text ? counted.count : 0;
}

/** Each secret is counted in the piece that it begins in. */
function* countSteps(text: string): Generator<undefined, number> {
  let count = 0;
  for (let from = 0; from < text.length; from += PIECE) {
    const start = Math.max(0, from - MARGIN);
    const spans = secretSpans(text.slice(start, from + PIECE + MARGIN));
    count += spans.filter((span) => span.start + start >= from && span.start + start < from + PIECE).length;
    yield;
  }
  return count;
}
