import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Call, type Command, UsageError } from './cli/command.js';
import { COMMANDS } from './cli/commands.js';
import { EXIT, type Exit } from './cli/exit.js';
import { helpText } from './cli/help.js';
import { type Io, tolerateBrokenPipes, write } from './cli/io.js';
import { toJson } from './cli/json.js';
import { oneLine } from './cli/text.js';

const EVERYWHERE = {
  data: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/**
 * Runs one command and resolves with its exit code (see cli/exit.ts). Never throws for what a person or a record can do wrong; a
 * fault of the machine is told in words and ends with the code of the store.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  tolerateBrokenPipes(io);
  const json = argv.includes('--json');
  try {
    return await run(argv, io);
  } catch (error) {
    if (error instanceof UsageError) return sayUsage(io, json, error.message);
    const text = wordsOf(error);
    await write(io.stderr, `fault: ${oneLine(text)}\n`);
    if (json) await write(io.stdout, `${toJson({ ok: false, refusal: { code: 'fault', text, facts: {} } })}\n`);
    return EXIT.store;
  }
}

async function run(argv: readonly string[], io: Io): Promise<Exit> {
  const { command, rest } = commandIn(argv);
  if (command === null) return general(rest, io);
  const { values, positionals } = parse(rest, { ...EVERYWHERE, ...command.options });
  if (values['help']) return print(io, helpText(COMMANDS, command));
  const [least, most] = command.takes;
  if (positionals.length < least) throw new UsageError(`${command.name} needs more: holdpoint ${command.usage}`);
  if (positionals.length > most)
    throw new UsageError(`${JSON.stringify(positionals[most])} is too much: holdpoint ${command.usage}`);
  for (const name of command.needs ?? [])
    if (values[name] === undefined) throw new UsageError(`--${name} is missing: holdpoint ${command.usage}`);
  const data = values['data'];
  const call: Call = {
    io,
    json: values['json'] === true,
    data: typeof data === 'string' ? data : undefined,
    positionals,
    values,
  };
  return command.run(call);
}

/** No command: the version, the help, or a mistake. */
async function general(argv: readonly string[], io: Io): Promise<Exit> {
  const { values, positionals } = parse(argv, EVERYWHERE);
  if (values['version']) return print(io, `${version()}\n`);
  const [first, about] = positionals;
  if (first !== undefined && first !== 'help') throw new UsageError(`there is no command ${JSON.stringify(first)}`);
  const only = COMMANDS.find((command) => command.name === about);
  if (about !== undefined && only === undefined) throw new UsageError(`there is no command ${JSON.stringify(about)}`);
  if (first === undefined && !values['help']) {
    await write(io.stderr, helpText(COMMANDS));
    return EXIT.usage;
  }
  return print(io, helpText(COMMANDS, only));
}

/** The command is the first word that is no option; `--data DIR` may stand before it. */
function commandIn(argv: readonly string[]): { command: Command | null; rest: string[] } {
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--data') at++;
    else if (!word.startsWith('-') || word === '-') {
      const command = COMMANDS.find((one) => one.name === word) ?? null;
      return { command, rest: command ? [...argv.slice(0, at), ...argv.slice(at + 1)] : [...argv] };
    }
  }
  return { command: null, rest: [...argv] };
}

function parse(
  args: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
): Pick<Call, 'values' | 'positionals'> {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    // No option is given twice to mean two things, so none has a list of values.
    const single = Object.entries(values).map(
      ([name, value]) => [name, Array.isArray(value) ? undefined : value] as const,
    );
    return { values: Object.fromEntries(single), positionals };
  } catch (error) {
    throw new UsageError(wordsOf(error));
  }
}

async function sayUsage(io: Io, json: boolean, text: string): Promise<Exit> {
  await write(io.stderr, `holdpoint: ${oneLine(text)}\n("holdpoint help" lists the commands)\n`);
  if (json) await write(io.stdout, `${toJson({ ok: false, refusal: { code: 'bad_request', text, facts: {} } })}\n`);
  return EXIT.usage;
}

async function print(io: Io, text: string): Promise<Exit> {
  await write(io.stdout, text);
  return EXIT.ok;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** From package.json, which lies one folder above this file, built or not. */
function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && 'version' in value ? String(value.version) : 'unknown';
}

/** True when plain Node was started on this file, and not when the application imported it. */
function isStarted(): boolean {
  const [, file] = process.argv;
  try {
    return file !== undefined && realpathSync(file) === realpathSync(fileURLToPath(import.meta.url));
  } catch {
    return false; // The argument is no file.
  }
}

if (isStarted()) process.exitCode = await main(process.argv.slice(2), process);
