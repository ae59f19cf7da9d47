import { ulid } from 'ulid';

/** One pending call of a record; `args` is raw JSON text, so that numbers stay as they are written. */
export interface Call {
  id: string;
  name: string;
  args: string;
}

export interface RecordFacts {
  runId?: string;
  step?: number;
  thread?: string;
  task?: string;
  /** What the assistant says with its calls. */
  words?: string;
  calls: readonly Call[];
}

/** A suspended klieo run as its text: one task, one assistant message with the calls, and the same calls pending. */
export function klieoRecord(facts: RecordFacts): string {
  const { runId = ulid(), step = 2, thread = 'desk-1', task = 'Do it.', words = 'I will.', calls } = facts;
  const quote = (text: string): string => JSON.stringify(text);
  const listed = calls.map(({ id, name, args }) => `{"id":${quote(id)},"name":${quote(name)},"args":${args}}`);
  const list = `[${listed.join(',')}]`;
  return [
    `{"run_id":${quote(runId)},"step_index":${step},"thread_id":${quote(thread)}`,
    `"messages":[{"role":"user","content":${quote(task)},"tool_calls":[],"tool_call_id":null}`,
    `{"role":"assistant","content":${quote(words)},"tool_calls":${list},"tool_call_id":null}]`,
    `"pending_tool_calls":${list},"resume_attempted":false,"created_at":${quote(new Date().toISOString())}}`,
  ].join(',');
}
