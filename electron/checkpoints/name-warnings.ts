import { sendable } from '../../shared/arguments.js';
import type { PendingCall, Warning } from '../../shared/checkpoint.js';
import { type JsonNode, readJsonText } from '../../shared/json.js';
import { isAscii, mixedScripts } from '../../shared/scripts.js';
import type { Settings } from '../../shared/settings.js';
import { unseenWarnings } from '../../shared/unseen-warnings.js';
import type { ListedTool } from '../ports.js';
import { type KnownNames, knownNames, lookAlikePairs } from './look-alike.js';

/** Of one call, so that a hostile record cannot fill the list. */
const MOST = 20;

/** Tools that the reviewer knows by name: rows of the table, and what the source's servers were last seen to offer. */
export function toolsKnown(settings: Pick<Settings, 'tools'>, listed: readonly ListedTool[]): KnownNames {
  const table = settings.tools.map((row) => row.tool).filter((tool) => !tool.endsWith('*'));
  return knownNames([...table, ...listed.map((tool) => tool.name)]);
}

/**
 * What the names of one call would make a reader believe (C61): a tool that looks like a known one and is another, a
 * name of mixed scripts, keys side by side that look the same, hidden characters in name or id. Names are compared with
 * the table byte by byte; a look-alike is an unknown tool.
 */
export function nameWarnings(call: PendingCall, path: string, known: KnownNames): Warning[] {
  const named = `${path}.name`;
  const warnings = unseenWarnings(call.name, named, 'the tool name').filter(({ code }) => code !== 'mixed_scripts');
  const scripts = mixedScripts(call.name);
  const like = known.like(call.name);
  if (scripts) warnings.push(warning('mixed_scripts', named, `the tool name has mixed scripts: ${scripts.join(', ')}`));
  if (like.length > 0)
    warnings.push(
      warning(
        'looks_like',
        named,
        `the tool name looks like ${like.join(' / ')}, which is another tool; this one is not it`,
      ),
    );
  if (call.id) warnings.push(...unseenWarnings(call.id, `${path}.id`, 'the id of the call'));
  return [...warnings, ...keyWarnings(call.arguments, path)].slice(0, MOST);
}

/** Where a call stands in its record. */
export const pathsOf = ({ index, paths }: PendingCall): readonly string[] => paths ?? [`pending_tool_calls[${index}]`];

/** True when a warning of the record points into this call. */
export function isOf({ path: at }: Warning, call: PendingCall): boolean {
  return pathsOf(call).some((path) => at === path || at.startsWith(`${path}.`) || at.startsWith(`${path}[`));
}

function keyWarnings(rawText: string, path: string): Warning[] {
  if (isAscii(rawText) && !rawText.includes('\\u')) return [];
  const sent = sendable(rawText);
  const read = sent.ok ? readJsonText(sent.text) : null;
  return read?.ok ? [...keysThatLookAlike(read.root, path)] : [];
}

function* keysThatLookAlike(root: JsonNode, path: string): Generator<Warning> {
  const open: JsonNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'array') open.push(...node.items.toReversed());
    if (node.kind !== 'object') continue;
    const keys = node.entries.map(({ key }) => key);
    if (!keys.every(isAscii))
      for (const { first, second } of lookAlikePairs(keys))
        yield warning('looks_like', path, `the keys ${first} and ${second} look the same and are two keys`);
    open.push(...node.entries.map(({ value }) => value).toReversed());
  }
}

function warning(code: string, path: string, text: string): Warning {
  return { code, path, text, blocksApproval: false };
}
