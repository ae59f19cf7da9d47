/**
 * A complete agent on Holdpoint's engine: it wants to write a note, which a person must allow first. It may be killed
 * at any point and started again: everything it must not forget is in its state file before it is used.
 *
 *   node examples/agent.ts "Buy milk"        (Node 22.18 or newer; with Node 20: npx tsx examples/agent.ts "Buy milk")
 *
 * AGENT_STATE   its state file (default agent-state.json)      AGENT_NOTES       where notes go (default notes)
 * HOLDPOINT_DATA   the data folder of Holdpoint                HOLDPOINT_ENGINE  the engine (default ../dist/engine.js)
 */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Engine, HandOver } from '../electron/engine.js';

const STATE = resolve(process.env['AGENT_STATE'] ?? 'agent-state.json');
const NOTES = resolve(process.env['AGENT_NOTES'] ?? 'notes');
const ENGINE = process.env['HOLDPOINT_ENGINE'] ?? join(import.meta.dirname, '../dist/engine.js');

/** What survives a crash. The token is made, and saved, before the first use: it alone gets the decision again. */
interface State {
  runId: string;
  token: string;
  /** The suspended run, byte for byte: put in twice, it is one run. */
  record: string;
}

const { openEngine } = (await import(pathToFileURL(ENGINE).href)) as typeof import('../electron/engine.js');
const engine = await openEngine({ name: 'the note agent' });
try {
  await runAgent(engine, loadState() ?? firstState(process.argv[2] ?? 'Buy milk'));
} finally {
  await engine.close();
}

async function runAgent(engine: Engine, state: State): Promise<void> {
  const put = await engine.suspend(Buffer.from(state.record), { source: 'notes', reason: 'It writes a file.' });
  if (!put.ok) throw new Error(`The run could not be put in: ${put.refusal.text}`);
  const { run } = put.value;
  console.log(`Waiting for a person: ${run}`);

  const answer = await engine.await(run, { token: state.token });
  if (!answer.ok) throw new Error(`Nothing to go on with: ${answer.refusal.text}`);
  const outcomes: string[] = [];
  for (const call of answer.value.calls) outcomes.push(await settle(engine, state, run, call));

  // A real agent would ask its model now, with each outcome as the answer to its call id.
  const done = await engine.complete(run, { token: state.token, answer: outcomes.join('\n') });
  if (!done.ok) throw new Error(`The run could not be completed: ${done.refusal.text}`);
  rmSync(STATE);
  console.log(outcomes.join('\n'));
}

/** Runs one call as it was decided, at most once over all restarts, and returns what the model is told. */
async function settle(engine: Engine, state: State, run: string, call: HandOver['calls'][number]): Promise<string> {
  const { token } = state;
  if (call.verdict === 'reject') return call.answer ?? 'rejected';
  const started = await engine.start(run, call.index, { token });
  if (!started.ok) {
    const before = started.refusal.facts['state'];
    // Finished in an earlier life: the outcome is in the journal.
    if (before === 'done' || before === 'failed') return journalled(engine, run, call.index);
    // Begun in an earlier life: only go on because this tool can tell whether it ran. Another one would stop here,
    // and leave it to a person to say what happened.
    if (before !== 'started') throw new Error(`Call ${call.index} may not run: ${started.refusal.text}`);
  }
  const result = writeNote(state.runId, call);
  const reported = await engine.report(run, call.index, { token, result });
  if (!reported.ok) throw new Error(`The outcome was not taken: ${reported.refusal.text}`);
  return result;
}

async function journalled(engine: Engine, run: string, index: number): Promise<string> {
  const shown = await engine.show(run);
  if (!shown.ok) throw new Error(shown.refusal.text);
  return shown.value.journal?.calls.find((entry) => entry.index === index)?.result ?? '';
}

/** The tool: writes one note under a name that belongs to this one call, so that a second run finds the first. */
function writeNote(runId: string, call: HandOver['calls'][number]): string {
  const { text } = JSON.parse(call.arguments) as { text: string };
  mkdirSync(NOTES, { recursive: true });
  const path = join(NOTES, `${runId}-${call.index}.txt`);
  if (existsSync(path)) return `The note was written before: ${path}`;
  writeFileSync(`${path}.tmp`, `${text}\n`, { flush: true });
  linkSync(`${path}.tmp`, path);
  rmSync(`${path}.tmp`);
  return `The note was written: ${path}`;
}

function loadState(): State | null {
  return existsSync(STATE) ? (JSON.parse(readFileSync(STATE, 'utf8')) as State) : null;
}

/** A new run: its record, and a token that nobody can guess; on the disk before anything else happens. */
function firstState(text: string): State {
  const runId = newUlid();
  const call = { id: 'call_1', name: 'write_note', args: { text } };
  const message = (role: string, content: string, calls: unknown[]) => ({
    role,
    content,
    tool_calls: calls,
    tool_call_id: null,
  });
  const record = JSON.stringify({
    run_id: runId,
    step_index: 1,
    thread_id: 'notes',
    messages: [message('user', `Write down: ${text}`, []), message('assistant', '', [call])],
    pending_tool_calls: [call],
    resume_attempted: false,
    created_at: new Date().toISOString(),
  });
  const state: State = { runId, token: randomBytes(24).toString('base64url'), record };
  writeFileSync(`${STATE}.tmp`, JSON.stringify(state), { mode: 0o600, flush: true });
  renameSync(`${STATE}.tmp`, STATE);
  return state;
}

/** 48 bits of milliseconds and 80 of chance, in Crockford's base 32. */
function newUlid(): string {
  let rest = (BigInt(Date.now()) << 80n) | BigInt(`0x${randomBytes(10).toString('hex')}`);
  let id = '';
  for (let digit = 0; digit < 26; digit++) {
    id = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.charAt(Number(rest & 31n)) + id;
    rest >>= 5n;
  }
  return id;
}
