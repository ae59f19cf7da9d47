import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** The verbs of the command line; each is documented by `holdpoint help`. */
const VERBS: readonly string[] = [
  'inspect',
  'suspend',
  'checkpoint',
  'list',
  'show',
  'await',
  'start',
  'report',
  'complete',
  'withdraw',
  'gc',
  'history',
  'decision',
  'verify',
  'key',
  'doctor',
  'backup',
  'import',
  'help',
];

/** What cli.ts exports. Resolves with the exit code. */
interface CommandLine {
  main(argv: string[], io: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'stdin'>): Promise<number>;
}

/** What a person gave to the application: all after the executable and, unpackaged, after the application's folder. */
export function ownArguments(argv: readonly string[], unpackaged: boolean): string[] {
  const folder = unpackaged ? argv.findIndex((argument, at) => at > 0 && !argument.startsWith('-')) : 0;
  return folder < 0 ? [] : argv.slice(folder + 1);
}

/**
 * The command in the given arguments, or null when they ask for the window. Options before the verb that are Electron's own (`--no-sandbox`) are left out, `--data FOLDER` is kept.
 */
export function commandIn(args: readonly string[]): string[] | null {
  const kept: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? '';
    if (VERBS.includes(argument)) return [...kept, ...args.slice(at)];
    if (argument === '--data' || argument === '--json' || argument.startsWith('--data=')) kept.push(argument);
    if (argument === '--data') kept.push(args[++at] ?? '');
    else if (!argument.startsWith('--')) return null;
  }
  return null;
}

/**
 * The paths in the arguments of a start that asks for the window, made absolute. `folder` is where it was started. What
 * follows `--data` is no record, a link of our own scheme no file.
 */
export function pathsIn(args: readonly string[], folder: string): string[] {
  return args
    .filter(
      (argument, at) => !argument.startsWith('-') && args[at - 1] !== '--data' && !argument.startsWith('holdpoint:'),
    )
    .map((argument) => resolve(folder, argument));
}

/**
 * Runs a command without a window; the packaged application answers commands this way, since it may not run as Node.
 * The command line is a file of its own beside the main process's, the same one that plain Node runs.
 */
export async function runCommandLine(argv: string[]): Promise<number> {
  const file = new URL('../cli.js', import.meta.url);
  if (!existsSync(file)) {
    process.stderr.write('holdpoint: this build has no command line\n');
    return 70;
  }
  const { main } = (await import(/* @vite-ignore */ file.href)) as CommandLine;
  return main(argv, process);
}
