import type { ModelEndpoint, Source, ToolServer } from '../../shared/settings.js';
import type { ToolRow } from '../../shared/tool-table.js';
import type { Ids } from '../ports.js';
import { FOLLOW_UP_SENTENCE } from './scripted-model.js';

export const SAMPLE_SOURCE_NAME = 'samples';

export const SAMPLE_SERVER: ToolServer = { kind: 'sample', name: 'samples', timeoutSeconds: 60 };
export const SAMPLE_MODEL: ModelEndpoint = { kind: 'scripted', name: 'scripted' };

export const SAMPLE_SOURCE: Source = {
  name: SAMPLE_SOURCE_NAME,
  route: 'here',
  wholeBatchOnly: false,
  profile: {
    systemPrompt: 'You run the back office of a small mail-order shop. Be brief, and use the tools you are given.',
    model: SAMPLE_MODEL.name,
    servers: [SAMPLE_SERVER.name],
    historyLimit: 0,
    maxSteps: 8,
  },
};

const row = (tool: string, effect: ToolRow['effect'], repeatable: boolean, noReview: boolean): ToolRow => ({
  source: SAMPLE_SOURCE_NAME,
  server: SAMPLE_SERVER.name,
  tool,
  effect,
  repeatable,
  noReview,
});

/** Rows for the sample tools. They are bound to the sample source and server, so they say nothing of other tools. */
export const SAMPLE_TOOL_ROWS: readonly ToolRow[] = [
  row('search_kb', 'read_only', true, true),
  row('get_invoice', 'read_only', true, true),
  row('write_file', 'changes', true, false),
  row('issue_refund', 'changes', false, false),
  row('send_email', 'changes', false, false),
  row('delete_records', 'destructive', false, false),
];

interface SampleCall {
  id: string;
  name: string;
  /** Raw JSON text: numbers stay as they are written here. */
  args: string;
}

interface Sample {
  name: string;
  thread: string;
  step: number;
  minutesAgo: number;
  task: string;
  thought: string;
  calls: readonly SampleCall[];
}

const SAMPLES: readonly Sample[] = [
  {
    name: 'one-refund.json',
    thread: 'desk-4471',
    step: 2,
    minutesAgo: 3,
    task: 'Order 2512292042121000001 came back unopened. Please pay it back.',
    thought: 'The parcel is checked in, so the full price goes back.',
    calls: [
      {
        id: 'call_refund_1',
        name: 'issue_refund',
        args: '{"order":2512292042121000001,"amount":49.90,"currency":"EUR"}',
      },
    ],
  },
  {
    name: 'three-at-once.json',
    thread: 'desk-4480',
    step: 4,
    minutesAgo: 12,
    task: 'Close the complaint of Jonas Weyer: half the price back, a note to him, and a line in the log.',
    thought: 'Three things at once; none of them waits for another.',
    calls: [
      { id: 'call_a', name: 'issue_refund', args: '{"order":"K-20817","amount":17.50,"currency":"EUR"}' },
      {
        id: 'call_b',
        name: 'send_email',
        args: '{"to":"jonas.weyer@example.com","subject":"Your complaint","body":"Dear Jonas Weyer,\\nwe are sorry about the torn cover and send half the price back."}',
      },
      {
        id: 'call_c',
        name: 'write_file',
        args: '{"path":"complaints/K-20817.txt","content":"half price back, customer told"}',
      },
    ],
  },
  {
    name: 'clean-up.json',
    thread: 'nightly-clean-up',
    step: 3,
    minutesAgo: 41,
    task: 'Remove abandoned baskets older than a year.',
    thought: 'I will clear the table.',
    calls: [{ id: 'call_wipe', name: 'delete_records', args: '{"table":"baskets","where":null,"limit":null}' }],
  },
  {
    name: 'two-stops.json',
    thread: 'desk-4502',
    step: 2,
    minutesAgo: 1,
    task: `Mira Holt was charged twice for order K-20933. Pay one of the two back. ${FOLLOW_UP_SENTENCE}`,
    thought: 'Two charges of 24.00 EUR are on the card; one goes back.',
    calls: [{ id: 'call_double', name: 'issue_refund', args: '{"order":"K-20933","amount":24.00,"currency":"EUR"}' }],
  },
];

/**
 * The sample runs as klieo records, ready for intake: one call, three parallel calls, a dangerous call, a run that
 * stops a second time, and a record that no reader accepts. `now` in nanoseconds since the epoch.
 */
export function sampleRecords(now: bigint, ids: Ids): { name: string; bytes: Uint8Array }[] {
  const records = SAMPLES.map((sample) => ({ name: sample.name, text: recordText(sample, now, ids.ulid()) }));
  const first = SAMPLES[0];
  if (first !== undefined) {
    const whole = recordText({ ...first, thread: 'desk-4466', minutesAgo: 55 }, now, ids.ulid());
    // Says twice, and differently, whether the run was already continued: nobody may guess which one holds.
    const text = whole.replace('"resume_attempted":false', '"resume_attempted":false,"resume_attempted":true');
    records.push({ name: 'says-two-things.json', text });
  }
  return records.map(({ name, text }) => ({ name, bytes: new TextEncoder().encode(text) }));
}

function recordText(sample: Sample, now: bigint, runId: string): string {
  const createdAt = new Date(Number(now / 1_000_000n) - sample.minutesAgo * 60_000).toISOString();
  const quote = (text: string): string => JSON.stringify(text);
  const calls = sample.calls.map((call) => `{"id":${quote(call.id)},"name":${quote(call.name)},"args":${call.args}}`);
  const list = `[${calls.join(',')}]`;
  const messages = [
    `{"role":"user","content":${quote(sample.task)},"tool_calls":[],"tool_call_id":null}`,
    `{"role":"assistant","content":${quote(sample.thought)},"tool_calls":${list},"tool_call_id":null}`,
  ];
  return [
    `{"run_id":${quote(runId)},"step_index":${sample.step},"thread_id":${quote(sample.thread)}`,
    `"messages":[${messages.join(',')}]`,
    `"pending_tool_calls":${list},"resume_attempted":false,"created_at":${quote(createdAt)}}`,
  ].join(',');
}
