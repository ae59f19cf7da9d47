import { readFileSync, statSync } from 'node:fs';
import { Settings } from '../shared/settings.js';

export interface ReadSettings {
  settings: Settings;
  /** Why defaults hold although there is a file; null when all is well, or when there is no file. */
  warning: string | null;
}

const DEFAULTS = Settings.parse({});

/**
 * Reads the settings that the window writes (`{"settings": {...}}`); a file that cannot be read gives defaults and a
 * warning, never an error. Everything else only reads it (H11).
 */
export function readSettings(path: string): ReadSettings {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : String(error);
    if (code === 'ENOENT') return { settings: DEFAULTS, warning: null };
    return { settings: DEFAULTS, warning: `The settings ${path} cannot be read (${code}); defaults hold.` };
  }
  try {
    const value: unknown = JSON.parse(text);
    const inner = typeof value === 'object' && value !== null && 'settings' in value ? value.settings : {};
    const parsed = Settings.safeParse(inner);
    if (parsed.success) return { settings: parsed.data, warning: null };
    const [issue] = parsed.error.issues;
    const where = issue ? `${issue.path.map(String).join('.') || 'the whole'}: ${issue.message}` : '';
    return {
      settings: DEFAULTS,
      warning: `The settings ${path} are not those of this version (${where}); defaults hold.`,
    };
  } catch {
    return {
      settings: DEFAULTS,
      warning: `The settings ${path} are no JSON; defaults hold, and the file is left as it is.`,
    };
  }
}

/** The settings as they are now: read again when the file has changed. */
export function followSettings(path: string): () => ReadSettings {
  let stamp = '';
  let last: ReadSettings = { settings: DEFAULTS, warning: null };
  return () => {
    const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
    const now = stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}` : 'none';
    if (now !== stamp) {
      last = readSettings(path);
      stamp = now;
    }
    return last;
  };
}
