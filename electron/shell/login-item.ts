import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { app } from 'electron';

export const HIDDEN = '--hidden';

/** Starts Holdpoint at login, or no more. Returns why it cannot, in words, or null. */
export function startAtLogin(on: boolean): string | null {
  if (!app.isPackaged)
    return on ? 'Only an installed Holdpoint starts at login; this one runs from its sources.' : null;
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: on, args: [HIDDEN] });
    return null;
  }
  try {
    setAutostart(autostartFile(process.env), on ? [process.env['APPIMAGE'] ?? process.execPath, HIDDEN] : null);
    return null;
  } catch (error) {
    return `The start at login was not set: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Where desktops that follow the XDG autostart specification look. */
export function autostartFile(env: Readonly<Record<string, string | undefined>>): string {
  return join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'autostart', 'holdpoint.desktop');
}

/** Writes or removes the entry; a missing one is removed already. Each word is quoted as the specification says. */
export function setAutostart(file: string, command: readonly string[] | null): void {
  if (command === null) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `[Desktop Entry]\nType=Application\nName=Holdpoint\nExec=${command.map(quoted).join(' ')}\n`);
}

/** `\` once for the quotes and once for the string value, `%` doubled so that it stands for no field. */
function quoted(word: string): string {
  const inQuotes = word
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%');
  return `"${inQuotes}"`;
}
