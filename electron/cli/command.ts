import type { ParseArgsConfig } from 'node:util';
import type { Outcome, Refusal } from '../../shared/refusal.js';
import { type Engine, EngineRefused, openEngine } from '../engine.js';
import { EXIT, type Exit, exitOf } from './exit.js';
import { type Io, write } from './io.js';
import { toJson } from './json.js';
import { oneLine, visible } from './text.js';

/** What a command gets: its arguments, parsed, and where to write. */
export interface Call {
  io: Io;
  json: boolean;
  /** `--data`. */
  data: string | undefined;
  positionals: string[];
  values: Readonly<Record<string, string | boolean | undefined>>;
}

/** One command of the command line. */
export interface Command {
  name: string;
  /** Arguments and options, as `help` prints them. */
  usage: string;
  /** What it does, in one line. */
  does: string;
  /** How many arguments it takes, least and most. */
  takes: readonly [number, number];
  options: NonNullable<ParseArgsConfig['options']>;
  /** Options that it cannot do without. */
  needs?: readonly string[];
  run(call: Call): Promise<Exit>;
}

/** A mistake in the arguments, for the person who typed them. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The text of an option; throws UsageError when it is missing. */
export function text(call: Call, name: string): string {
  const value = call.values[name];
  if (typeof value !== 'string') throw new UsageError(`--${name} is missing`);
  return value;
}

export function maybeText(call: Call, name: string): string | undefined {
  const value = call.values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The position of a call in its batch, from 0. */
export function callNumber(call: Call): number {
  const value = text(call, 'call');
  if (!/^\d{1,6}$/.test(value))
    throw new UsageError(`--call takes the number of a call, from 0; not ${JSON.stringify(value)}`);
  return Number(value);
}

/**
 * Opens the engine for one command and closes it after it; says on stderr when the settings cannot be read. Only with
 * `make` is a store made where there is none: other commands refuse with `not_found`, and change nothing.
 */
export async function withEngine(
  call: Call,
  act: (engine: Engine) => Promise<Exit>,
  { make = false }: { make?: boolean } = {},
): Promise<Exit> {
  let engine: Engine;
  try {
    engine = await openEngine({ dataFolder: call.data, name: 'an agent (command line)', make });
  } catch (error) {
    if (error instanceof EngineRefused) return sayRefused(call, error.refusal);
    throw error;
  }
  try {
    const warning = engine.settingsWarning();
    if (warning !== null) await write(call.io.stderr, `warning: ${visible(warning)}\n`);
    return await act(engine);
  } finally {
    await engine.close();
  }
}

/** Prints an outcome: a refusal as such, a value as JSON (`{"ok":true,…}`) or as `human` words it. */
export async function say<T extends object | null>(
  call: Call,
  outcome: Outcome<T>,
  human: (value: T) => string,
): Promise<Exit> {
  if (!outcome.ok) return sayRefused(call, outcome.refusal);
  await write(call.io.stdout, call.json ? `${toJson({ ok: true, ...outcome.value })}\n` : `${human(outcome.value)}\n`);
  return EXIT.ok;
}

/** A refusal: words on stderr, and with `--json` the whole of it on stdout. */
export async function sayRefused(call: Pick<Call, 'io' | 'json'>, refusal: Refusal): Promise<Exit> {
  await write(call.io.stderr, `refused (${refusal.code}): ${oneLine(refusal.text)}\n`);
  if (call.json) await write(call.io.stdout, `${toJson({ ok: false, refusal })}\n`);
  return exitOf(refusal);
}
