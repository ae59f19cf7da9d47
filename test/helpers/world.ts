import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decide } from '../../electron/checkpoints/decide.js';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { openCalls } from '../../electron/checkpoints/may-fire.js';
import { load } from '../../electron/checkpoints/records.js';
import { resumeHere } from '../../electron/checkpoints/resume.js';
import type { KnownKey, OwnSigner } from '../../electron/checkpoints/signatures.js';
import type { Ids, ListedTool, ModelAnswer, Models, Ports, ToolOutcome, Tools } from '../../electron/ports.js';
import type { KvStore } from '../../electron/store/contract.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import type { Message } from '../../shared/checkpoint.js';
import type { Decision, SuspensionKey, Verdict } from '../../shared/decision.js';
import type { Outcome } from '../../shared/refusal.js';
import { Settings } from '../../shared/settings.js';
import { parseTime } from '../../shared/time.js';
import { ADA } from './signer.js';

export const FIXTURES = join(import.meta.dirname, '../fixtures');
export const klieo = (file: string): Uint8Array => new Uint8Array(readFileSync(join(FIXTURES, 'klieo', file)));

/** The bytes of one input of a case, by its number. */
export function caseFile(id: string, file: string): Uint8Array {
  const folder = readdirSync(join(FIXTURES, 'cases')).find((name) => name.startsWith(`${id}-`));
  if (folder === undefined) throw new Error(`no case ${id}`);
  return new Uint8Array(readFileSync(join(FIXTURES, 'cases', folder, file)));
}

export const at = (text: string): bigint => {
  const time = parseTime(text);
  if (!time.ok) throw new Error(time.reason);
  return time.ns;
};

export type Script = (tool: string, argumentsText: string) => ToolOutcome | Promise<ToolOutcome>;

/** A store, a clock that stands still, a ledger of real dispatches, a model that answers from a list. */
export class World {
  store: KvStore;
  now = at('2026-07-20T10:00:00Z');
  monotonicMs = 0;
  ledger: { tool: string; arguments: string }[] = [];
  requests: { messages: readonly Message[]; tools: readonly ListedTool[] }[] = [];
  answers: ModelAnswer[] = [];
  script: Script = () => ({ kind: 'result', text: 'ok' });
  offered: string[] | null = null;
  serversReachable = true;
  modelReachable = true;
  /** What the person answers to a question of the system. */
  agrees = true;
  /** Keys whose signatures count; the first is this window's own. */
  known: KnownKey[] = [ADA.key];
  signer: Outcome<OwnSigner> = { ok: true, value: ADA.signer };
  points: string[] = [];
  stop = new AbortController();
  end = new AbortController();
  settings: Settings;
  onPoint: (point: string) => void | Promise<void> = () => {};
  #count = 0;

  constructor(settings: Record<string, unknown> = {}, store: KvStore = new MemoryStore()) {
    this.store = store;
    this.settings = Settings.parse({
      reviewer: 'Ada',
      undoSeconds: 0,
      sources: [{ name: 'local', profile: { model: 'scripted', servers: ['ledger'] } }],
      tools: [
        { tool: 'search_kb', effect: 'read_only', repeatable: true },
        { tool: 'get_invoice', effect: 'read_only', repeatable: true },
        { tool: 'web_search', effect: 'read_only', repeatable: true },
        { tool: 'read_file', effect: 'read_only', repeatable: true },
        { tool: 'delete_file', effect: 'destructive', repeatable: false },
        { tool: 'delete_records', effect: 'destructive', repeatable: false },
      ],
      ...settings,
    });
  }

  get ports(): Ports {
    const ids: Ids = { ulid: () => `01TEST${String(++this.#count).padStart(20, '0')}` };
    return {
      clock: { now: () => this.now, monotonic: () => this.monotonicMs },
      ids,
      tools: this.#tools(),
      models: this.#models(),
      settings: () => this.settings,
      signing: { known: () => this.known, signer: async () => this.signer },
      process: { host: 'test-host', boot: 'boot-1', pid: 4711, name: 'Ada' },
      isAlive: () => false,
      at: (point) => {
        this.points.push(point);
        return this.onPoint(point);
      },
    };
  }

  #tools(): Tools {
    return {
      open: async () => {
        if (!this.serversReachable)
          return {
            ok: false,
            refusal: { code: 'tool_server_unreachable', text: 'The ledger server cannot be reached.', facts: {} },
          };
        const names = this.offered ?? ALL_TOOLS;
        return {
          ok: true,
          value: {
            tools: names.map((name) => ({
              server: 'ledger',
              name,
              description: '',
              inputSchema: '{"type":"object"}',
              claims: {},
            })),
            call: async (tool, argumentsText) => {
              this.ledger.push({ tool, arguments: argumentsText });
              return this.script(tool, argumentsText);
            },
            close: async () => {},
          },
        };
      },
    };
  }

  #models(): Models {
    return {
      reachable: async () =>
        this.modelReachable
          ? { ok: true, value: null }
          : { ok: false, refusal: { code: 'model_unreachable', text: 'Nobody answers at the endpoint.', facts: {} } },
      complete: async (_model, request) => {
        this.requests.push(structuredClone(request));
        return this.answers.shift() ?? { kind: 'message', content: 'All done.', toolCalls: [], finishReason: 'stop' };
      },
    };
  }

  /** Takes a record in and answers with its suspension; throws when it is refused. */
  async put(
    bytes: Uint8Array,
    options: { route?: 'here' | 'handed_over'; source?: string } = {},
  ): Promise<SuspensionKey> {
    return unwrap(
      await takeIn(this.store, this.ports.clock, {
        bytes,
        source: options.source ?? 'local',
        via: 'inbox',
        route: options.route ?? 'here',
      }),
    ).key;
  }

  /** Decides as a person would in the window: by position, bound to what is in the store now. */
  async decide(
    key: SuspensionKey,
    said: ('approve' | { reject: string } | { edit: string })[] | { step: 'approve' | { reject: string } },
    options: { by?: string; repair?: boolean } = {},
  ): Promise<Outcome<Decision>> {
    const loaded = unwrap(await load(this.store, key));
    const binding = { revision: loaded.revision, resumeStep: loaded.record.resumeStep, digest: loaded.head.digest };
    const base = { key, binding, repair: options.repair ?? false, reviewer: { name: options.by ?? 'Ada' } };
    if (!Array.isArray(said)) {
      const step =
        said.step === 'approve'
          ? { verdict: 'approve' as const }
          : { verdict: 'reject' as const, reason: said.step.reject };
      return decide(this.store, this.ports, { ...base, verdicts: [], step });
    }
    // A person who looks at a settled card still sees its calls, and may try to decide them.
    const open = openCalls(loaded);
    const verdicts: Omit<Verdict, 'editedSha256'>[] = (open.length > 0 ? open : (loaded.record.pending ?? [])).map(
      (call, i) => {
        const what = said[i] ?? 'approve';
        const bound = { index: call.index, argumentsSha256: call.argumentsSha256 };
        if (what === 'approve') return { ...bound, verdict: 'approve' };
        return 'reject' in what
          ? { ...bound, verdict: 'reject', reason: what.reject }
          : { ...bound, verdict: 'approve', editedArguments: what.edit };
      },
    );
    return decide(this.store, this.ports, { ...base, verdicts });
  }

  resume(key: SuspensionKey, token = 'token'): Promise<Outcome<null>> {
    return resumeHere(this.store, this.ports, key, { token, stop: this.stop.signal, signal: this.end.signal });
  }
}

export const ALL_TOOLS = [
  'issue_refund',
  'send_email',
  'search_kb',
  'get_invoice',
  'post_transfer',
  'send_payment',
  'delete_file',
  'delete_records',
  'run_shell',
  'roll_out',
  'update_record',
  'create_contact',
  'publish_post',
  'http_request',
  'rotate_keys',
  'read_file',
  'web_search',
  'vendor_magic',
];

export function unwrap<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.refusal.code}: ${outcome.refusal.text}`);
  return outcome.value;
}

/** The code of a refusal; throws when there is none. */
export function refusalOf(outcome: Outcome<unknown>): string {
  if (outcome.ok) throw new Error('expected a refusal');
  return outcome.refusal.code;
}

/** A klieo record as text, from parts. */
export function klieoRecord(parts: {
  runId?: string;
  step?: number;
  thread?: string;
  calls?: { id: string; name: string; args: string }[] | null;
  createdAt?: string;
  latched?: boolean;
  messages?: string;
}): Uint8Array {
  const list = parts.calls
    ?.map((c) => `{"id":${JSON.stringify(c.id)},"name":${JSON.stringify(c.name)},"args":${c.args}}`)
    .join(',');
  const pending = parts.calls === null ? 'null' : `[${list ?? ''}]`;
  const asked = list ? `,{"role":"assistant","content":"","tool_calls":[${list}],"tool_call_id":null}` : '';
  const messages = parts.messages ?? `{"role":"user","content":"go","tool_calls":[],"tool_call_id":null}${asked}`;
  return new TextEncoder().encode(
    `{"run_id":"${parts.runId ?? '01K0QZ6V5M3H8D7N2B4C9F1XGA'}","step_index":${parts.step ?? 2},"thread_id":"${parts.thread ?? 't'}","messages":[${messages}],"pending_tool_calls":${pending},"resume_attempted":${parts.latched ?? false},"created_at":"${parts.createdAt ?? '2026-07-20T09:14:03.482917Z'}"}`,
  );
}
