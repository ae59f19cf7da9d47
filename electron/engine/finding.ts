/** What `doctor --mend` may do, and nothing else: none of it touches a record. */
export type Mend = 'temps' | 'index' | 'payloads';

export interface Finding {
  /** `warning`: worth knowing. `problem`: something cannot be read, or nothing can be written. */
  level: 'ok' | 'warning' | 'problem';
  /** What was looked at. */
  what: string;
  text: string;
  /** The place, below the data folder. */
  file?: string;
  /** What a person can do about it. */
  advice?: string;
  /** The act that mends it, where one may. */
  mend?: Mend;
  /** True for a file that cannot be read as what it is: `--export` copies it out. */
  unreadable?: true;
}

export interface DoctorReport {
  /** False as soon as one finding is a problem. */
  ok: boolean;
  dataFolder: { path: string; said: string };
  findings: Finding[];
}
