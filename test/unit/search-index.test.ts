import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { partsOf } from '../../electron/queue/field-search.js';
import { Postings } from '../../electron/queue/postings.js';
import { loadSearch, saveSearch } from '../../electron/queue/search-file.js';
import { SearchIndex } from '../../electron/queue/search-index.js';

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-search-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const found = (index: SearchIndex, word: string): number[] => {
  const docs = new Set<number>();
  index.find(word, (doc) => docs.add(doc));
  return [...docs].sort((a, b) => a - b);
};
const indexOf = (...texts: string[]): SearchIndex => {
  const index = new SearchIndex();
  for (const text of texts) index.add(partsOf(text));
  return index;
};

describe('what is found', () => {
  it('a word inside a part, in any case; short words at its beginning, one character as a whole part', () => {
    const index = indexOf('{"to":"Vendor@example.com"}', 'vendors and a lender');
    expect(found(index, 'endo')).toEqual([0, 1]);
    expect(found(index, 'lender')).toEqual([1]);
    expect(found(index, 'ex')).toEqual([0]);
    expect(found(index, 'nd')).toEqual([]);
    expect(found(index, 'a')).toEqual([1]);
  });

  it('C59: a name with and without its hidden characters, and in compatibility forms', () => {
    const index = indexOf('Ven\u200bdor\u2060 \uff11\uff12');
    expect(partsOf('Ven\u200bdor')).toEqual(['vendor']);
    expect(found(index, 'vendor')).toEqual([0]);
    expect(found(index, '12')).toEqual([0]);
  });

  it('numbers as they are written, Hebrew, and a part of any length', () => {
    const long = `${'x'.repeat(500)}needle${'y'.repeat(500)}`;
    const index = indexOf('{"order":2512292042121000001}', '\u05e9\u05dc\u05d5\u05dd', long);
    expect(found(index, '2512292042121000001')).toEqual([0]);
    expect(found(index, '\u05dc\u05d5\u05dd')).toEqual([1]);
    expect(found(index, 'needle')).toEqual([2]);
  });

  it('a longer word is found among what the shorter one found, and new text is not missed', () => {
    const index = indexOf('refund');
    expect(found(index, 'refu')).toEqual([0]);
    index.add(partsOf('refusal'));
    expect(found(index, 'refus')).toEqual([1]);
    expect(found(index, 'refu')).toEqual([0, 1]);
  });

  it('what was dropped is not found', () => {
    const index = indexOf('refund', 'refund');
    index.drop(0);
    expect(found(index, 'refund')).toEqual([1]);
  });

  it('is what a plain look at every text says', () => {
    const word = fc.stringMatching(/^[a-c]{1,6}$/);
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 6 }), { maxLength: 20 }), word, (texts, wanted) => {
        const index = indexOf(...texts.map((words) => words.join(' ')));
        const fits = (part: string): boolean =>
          wanted.length === 1 ? part === wanted : wanted.length === 2 ? part.startsWith(wanted) : part.includes(wanted);
        expect(found(index, wanted)).toEqual(texts.flatMap((words, doc) => (words.some(fits) ? [doc] : [])));
      }),
    );
  });
});

it('postings give back what was added, whatever lies between', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(5_000_000)), (numbers) => {
      const sorted = numbers.sort((a, b) => a - b);
      const postings = new Postings();
      for (const n of sorted) postings.add(n);
      const back: number[] = [];
      postings.forEach((n) => {
        back.push(n);
      });
      expect(back).toEqual(sorted);
    }),
  );
});

describe('the index on disk', () => {
  const path = join(folder, 'search', 'index');
  const docs = [{ name: 'a', digest: '1' }, null, { name: 'c', digest: '3' }];
  const saved = () => {
    const index = indexOf('alpha shared', 'secret gone', 'gamma shared');
    index.drop(1);
    saveSearch(path, 'store', docs, index);
  };

  it('finds the same again, and nothing of what was dropped stands in it', () => {
    saved();
    const loaded = loadSearch(path, 'store');
    expect(loaded?.docs).toEqual([docs[0], docs[2]]);
    expect(loaded && found(loaded.index, 'shared')).toEqual([0, 1]);
    expect(loaded && found(loaded.index, 'gamma')).toEqual([1]);
    expect(readFileSync(path, 'latin1')).not.toContain('secret');
    const doc = loaded?.index.add(partsOf('delta shared'));
    expect(doc).toBe(2);
    expect(loaded && found(loaded.index, 'shared')).toEqual([0, 1, 2]);
    expect(readdirSync(join(folder, 'search'))).toEqual(['index']);
  });

  it('torn, altered, of another store, or missing: it is not used', () => {
    saved();
    expect(loadSearch(path, 'another')).toBeNull();
    const bytes = readFileSync(path);
    for (const at of [0, 40, Math.floor(bytes.length / 2), bytes.length - 40]) {
      const altered = Uint8Array.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ 1;
      writeFileSync(path, altered);
      expect(loadSearch(path, 'store')).toBeNull();
    }
    writeFileSync(path, bytes.subarray(0, bytes.length - 9));
    expect(loadSearch(path, 'store')).toBeNull();
    expect(loadSearch(join(folder, 'none'), 'store')).toBeNull();
  });
});
