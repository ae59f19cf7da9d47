/** One place where the history does not hold, in words for a person. */
export interface Broken {
  /** Path below the store's folder, or null where a file is missing. */
  file: string | null;
  bucket: string;
  /** Null when nobody can tell it. */
  key: string | null;
  revision: number | null;
  what: string;
}
