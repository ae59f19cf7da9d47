import { characterName } from './character-name.js';
import type { Warning } from './checkpoint.js';
import { hiddenCharacters, reordersText, steersTerminal } from './hidden-text.js';
import { mixedWords } from './scripts.js';

/** Counted one by one up to here. */
const COUNTED = 1000;
const NAMED = 8;
const TAG = { from: 0xe0020, to: 0xe007e };

/**
 * What a reader would not see in one text: hidden and reordering characters, text written in tag characters, terminal
 * sequences, words of mixed scripts. `what` names the text in the warning, as "the key" or "it". Nothing is blocked: all
 * of it is shown as marks, and is sent as it is.
 */
export function unseenWarnings(text: string, path: string, what: string): Warning[] {
  const warnings: Warning[] = [];
  const add = (code: string, words: string): void => {
    warnings.push({ code, path, text: words, blocksApproval: false });
  };
  const hidden = hiddenCharacters(text, COUNTED);
  if (hidden.length > 0) {
    const names = [...new Set(hidden.map(nameOf))];
    const named = names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} and others` : names.join(', ');
    const count = hidden.length === COUNTED ? `${COUNTED} or more invisible characters` : countOf(hidden.length);
    add('hidden_characters', `${what} contains ${count} (${named})${tagged(hidden)}; they are sent as they are`);
  }
  if (reordersText(text))
    add('reordering_characters', `${what} holds characters that reorder text; it is shown in the order it is sent in`);
  if (steersTerminal(text))
    add('terminal_sequence', `${what} holds terminal sequences (ANSI); they are sent as they are`);
  const [first, ...more] = mixedWords(text, 20);
  if (first !== undefined) {
    const rest = more.length === 0 ? '' : `, and in ${more.length} more`;
    add('mixed_scripts', `${what} mixes ${first.scripts.join(' and ')} letters in one word: ${first.word}${rest}`);
  }
  return warnings;
}

function countOf(n: number): string {
  return n === 1 ? '1 invisible character' : `${n} invisible characters`;
}

function nameOf(codePoint: number): string {
  return codePoint >= TAG.from && codePoint <= TAG.to ? 'tag characters' : characterName(codePoint);
}

/** Tag characters spell ASCII: what they say is said. */
function tagged(hidden: readonly number[]): string {
  const letters = hidden.filter((point) => point >= TAG.from && point <= TAG.to);
  if (letters.length === 0) return '';
  return `; hidden text: ${String.fromCharCode(...letters.slice(0, 200).map((point) => point - 0xe0000))}`;
}
