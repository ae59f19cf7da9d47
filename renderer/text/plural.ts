/** The plural ending of an English noun. */
export const s = (n: number): string => (n === 1 ? '' : 's');
