export interface Finding {
  /** `warning`: worth knowing. `problem`: something cannot be read, or nothing can be written. */
  level: 'ok' | 'warning' | 'problem';
  /** What was looked at. */
  what: string;
  text: string;
}

export interface DoctorReport {
  /** False as soon as one finding is a problem. */
  ok: boolean;
  dataFolder: { path: string; said: string };
  findings: Finding[];
}
