/** What a program needs to find its files and its language; nothing else of this process reaches a tool server. */
const INHERITED: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_CTYPE',
  'TMPDIR',
  'TMP',
  'TEMP',
  'TZ',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROCESSOR_ARCHITECTURE',
  'USERNAME',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
]);

/** Names that make a loader or a runtime run other code than the command says. */
const REFUSED: ReadonlySet<string> = new Set([
  'NODE_OPTIONS',
  'NODE_REPL_EXTERNAL_MODULE',
  'LD_PRELOAD',
  'LD_AUDIT',
  'LD_LIBRARY_PATH',
  'BASH_ENV',
]);
const REFUSED_PREFIXES = ['DYLD_', 'ELECTRON_', 'BASH_FUNC_'];

/** True for a name that is never handed to a tool server, not even when its own settings name it. */
function isRefusedName(name: string): boolean {
  const upper = name.toUpperCase();
  return REFUSED.has(upper) || REFUSED_PREFIXES.some((prefix) => upper.startsWith(prefix));
}

/**
 * The environment of a tool server: the allow-listed names of `own`, then the server's own rows without the names
 * that could load foreign code. `dropped` names the rows that were left out, for the settings page.
 */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  rows: Readonly<Record<string, string>>,
): { env: Record<string, string>; dropped: string[] } {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    // A value that begins like this is a shell function in disguise.
    if (value !== undefined && INHERITED.has(name.toUpperCase()) && !value.startsWith('()')) env[name] = value;
  }
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(rows)) {
    if (name === '' || name.includes('=') || isRefusedName(name)) dropped.push(name);
    else env[name] = value;
  }
  return { env, dropped };
}
