/** The answer of a call deep in the history that has none, put in with the reviewer's consent (C30). */
export const REPAIR_TEXT =
  '[Inserted by Holdpoint: this call has no recorded result. Whether it ran is not known. A person agreed to go on without it.]';
