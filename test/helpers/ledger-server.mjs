// A tool server over stdio for tests, written by hand so that it can see the bytes it was sent. Every tools/call
// appends one fsynced line to the file named by LEDGER: time, tool name, raw arguments text, separated by tabs.
//
// Environment:
//   LEDGER     file that gets one line a call (required)
//   TOOLS      JSON list of {name, description?, inputSchema?, annotations?}; default: the tools of the case catalogue
//   SCRIPT     path of a JSON file, read at each call: {tool: behaviour | behaviour[]}; a list is used up call by call,
//              its last entry stays. behaviour: {delayMs, text, content, structuredContent, isError, error: {code,
//              message}, crash (ends after the line, before the answer), noAnswer, gone (answers "unknown tool", no line),
//              structuredDepth (structured content nested so deep)}
//   PAGE_SIZE  tools in one page of tools/list
//   RAW        file that gets every received line as it came
//   DUMP_ENV   file that gets this process's environment as JSON at the start
//   PID        file that gets this process's id at the start
//   STUBBORN   when set, SIGTERM and the end of input are ignored
//   MUTE       when set, nothing is ever answered
import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { LEDGER, TOOLS, SCRIPT, PAGE_SIZE, RAW, DUMP_ENV, PID, STUBBORN, MUTE } = process.env;
if (LEDGER === undefined) throw new Error('LEDGER names no file.');
if (DUMP_ENV !== undefined) writeFileSync(DUMP_ENV, JSON.stringify(process.env));
if (PID !== undefined) writeFileSync(PID, String(process.pid));
if (STUBBORN !== undefined) {
  process.on('SIGTERM', () => process.stderr.write('staying\n'));
  setInterval(() => undefined, 60_000);
}

const tools = TOOLS === undefined ? catalogue() : JSON.parse(TOOLS);
const used = new Map();

/** The tools that the cases speak of. */
function catalogue() {
  const here = dirname(fileURLToPath(import.meta.url));
  const { tools: known } = JSON.parse(readFileSync(join(here, '../fixtures/cases/tools.json'), 'utf8'));
  return Object.entries(known).map(([name, tool]) => ({ name, annotations: { idempotentHint: tool.idempotent } }));
}

function behaviourOf(tool) {
  const script = SCRIPT === undefined ? {} : JSON.parse(readFileSync(SCRIPT, 'utf8'));
  const entry = script[tool] ?? {};
  if (!Array.isArray(entry)) return entry;
  const at = used.get(tool) ?? 0;
  used.set(tool, at + 1);
  return entry[Math.min(at, entry.length - 1)] ?? {};
}

function writeLedger(tool, rawArguments) {
  const file = openSync(LEDGER, 'a', 0o600);
  writeSync(file, `${new Date().toISOString()}\t${tool}\t${rawArguments}\n`);
  fsyncSync(file);
  closeSync(file);
}

/** The text of a member's value in a JSON object, exactly as it stands there; '' when it has no such member. */
function memberText(text, wanted) {
  let at = text.indexOf('{') + 1;
  for (;;) {
    const key = /\s*("(?:[^"\\]|\\.)*")\s*:\s*/y;
    key.lastIndex = at;
    const found = key.exec(text);
    if (found === null) return '';
    const end = valueEnd(text, key.lastIndex);
    if (JSON.parse(found[1]) === wanted) return text.slice(key.lastIndex, end);
    const comma = /\s*,/y;
    comma.lastIndex = end;
    if (comma.exec(text) === null) return '';
    at = comma.lastIndex;
  }
}

function valueEnd(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const string = /"(?:[^"\\]|\\.)*"/y;
      string.lastIndex = at;
      string.exec(text);
      at = string.lastIndex - 1;
      if (depth === 0) return at + 1;
    } else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && char === ',') return at;
  }
  return text.length;
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

function answerCall(id, tool, line) {
  const behaviour = behaviourOf(tool);
  if (behaviour.gone === true) {
    send({ id, error: { code: -32602, message: `Unknown tool: ${tool}` } });
    return;
  }
  writeLedger(tool, memberText(memberText(line, 'params'), 'arguments'));
  if (behaviour.crash === true) process.exit(7);
  if (behaviour.noAnswer === true) return;
  const answer = () => {
    if (behaviour.error !== undefined) return send({ id, error: behaviour.error });
    const result = { content: behaviour.content ?? [{ type: 'text', text: behaviour.text ?? `${tool} done` }] };
    if (behaviour.structuredContent !== undefined) result.structuredContent = behaviour.structuredContent;
    if (behaviour.structuredDepth !== undefined) {
      const deep = `${'{"a":'.repeat(behaviour.structuredDepth)}1${'}'.repeat(behaviour.structuredDepth)}`;
      const content = JSON.stringify(result.content);
      process.stdout.write(
        `{"jsonrpc":"2.0","id":${id},"result":{"content":${content},"structuredContent":${deep}}}\n`,
      );
      return;
    }
    if (behaviour.isError !== undefined) result.isError = behaviour.isError;
    return send({ id, result });
  };
  if (behaviour.delayMs === undefined) answer();
  else setTimeout(answer, behaviour.delayMs);
}

function listPage(cursor) {
  const size = PAGE_SIZE === undefined ? tools.length : Number(PAGE_SIZE);
  const from = cursor === undefined ? 0 : Number(cursor);
  const page = tools.slice(from, from + size).map((tool) => ({ inputSchema: { type: 'object' }, ...tool }));
  return from + size < tools.length ? { tools: page, nextCursor: String(from + size) } : { tools: page };
}

function onLine(line) {
  if (RAW !== undefined) appendFileSync(RAW, `${line}\n`);
  const message = JSON.parse(line);
  if (MUTE !== undefined || message.id === undefined) return;
  switch (message.method) {
    case 'initialize':
      send({
        id: message.id,
        result: {
          protocolVersion: message.params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'ledger', version: '1' },
        },
      });
      return;
    case 'tools/list':
      send({ id: message.id, result: listPage(message.params?.cursor) });
      return;
    case 'tools/call':
      answerCall(message.id, message.params.name, line);
      return;
    default:
      send({ id: message.id, error: { code: -32601, message: 'Method not found' } });
  }
}

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) onLine(line);
});
process.stdin.on('end', () => {
  if (STUBBORN === undefined) process.exit(0);
});
