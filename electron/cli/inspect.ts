import { type Inspection, inspect } from '../engine/inspection.js';
import { inspectJson } from '../formats/read-record.js';
import type { Command } from './command.js';
import { EXIT } from './exit.js';
import { readInput } from './input.js';
import { write } from './io.js';
import { escapeHidden, toJson } from './json.js';
import { block, oneLine } from './text.js';

export const inspectCommand: Command = {
  name: 'inspect',
  usage: 'inspect FILE|-',
  does: 'reads one record, without a store, and prints its normal form',
  takes: [1, 1],
  options: {},
  async run({ io, json, positionals: [file = ''] }) {
    const bytes = await readInput(file, io.stdin);
    const found = bytes.ok ? inspect(bytes.value) : unreadable(bytes.refusal.facts['read'], bytes.refusal.text);
    const size = bytes.ok ? bytes.value.length : null;
    if (json) await write(io.stdout, `${bytes.ok ? escapeHidden(inspectJson(bytes.value)) : toJson(found)}\n`);
    else await write(io.stdout, `${inWords(found, file, size)}\n`);
    return found.state === 'unreadable' ? EXIT.unreadable : EXIT.ok;
  },
};

/** A file that could not even be opened, in the same form as one whose text is no record. */
function unreadable(read: unknown, text: string): Inspection {
  const code = typeof read === 'object' && read !== null && 'code' in read ? String(read.code) : 'unreadable';
  return {
    system: 'unknown',
    runId: null,
    checkpointId: null,
    threadId: null,
    revision: null,
    createdAt: null,
    updatedAt: null,
    completedStep: null,
    resumeStep: null,
    state: 'unreadable',
    resumable: false,
    pending: [],
    messages: 0,
    warnings: [],
    refusal: { code, path: '', offset: null, line: null, column: null, text },
  };
}

function inWords(found: Inspection, file: string, size: number | null): string {
  const lines = [`${oneLine(file)}: ${found.state}${size === null ? '' : ` (${size} bytes)`}`];
  const add = (name: string, value: string | number | null) => {
    if (value !== null) lines.push(`  ${name.padEnd(12)}${oneLine(String(value))}`);
  };
  if (found.refusal) {
    add('because', `${found.refusal.code}: ${found.refusal.text}`);
    return lines.join('\n');
  }
  add('system', found.system);
  add('run', found.runId);
  add('checkpoint', found.checkpointId);
  add('thread', found.threadId);
  add('revision', found.revision);
  add('created', found.createdAt);
  add('updated', found.updatedAt);
  add('completed', found.completedStep);
  add('resumes at', found.resumeStep);
  add('resumable', found.resumable ? 'yes' : 'no');
  add('stands', found.classification ?? null);
  for (const { name, value } of found.about ?? []) add(name, value);
  add('messages', found.messages);
  for (const call of found.pending) {
    add(
      `call ${call.index}`,
      `${call.name} (id ${call.id === null ? 'missing' : JSON.stringify(call.id)}, sha256 ${call.argumentsSha256})`,
    );
    lines.push(block(call.arguments === '' ? '(no arguments: an empty string)' : call.arguments, '    | '));
  }
  for (const warning of found.warnings)
    add(warning.blocksApproval ? 'blocked' : 'warning', `${warning.code} ${warning.path}: ${warning.text}`);
  return lines.join('\n');
}
