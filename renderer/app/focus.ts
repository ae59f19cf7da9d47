import { create } from 'zustand';

/** The middle of the window is always there, so focus always has a place to go back to. */
export const CARD_ID = 'card';
export const SEARCH_ID = 'search';
export const LIST_ID = 'queue';

function focusById(id: string): void {
  document.getElementById(id)?.focus({ preventScroll: true });
}
export const focusCard = (): void => focusById(CARD_ID);
export const focusList = (): void => focusById(LIST_ID);
export const focusSearch = (): void => focusById(SEARCH_ID);

/** What the polite live region says. The counter makes the same words said twice heard twice. */
export const useAnnouncement = create<{ words: string; times: number }>()(() => ({ words: '', times: 0 }));

export function announce(words: string): void {
  useAnnouncement.setState((state) => ({ words, times: state.times + 1 }));
}
