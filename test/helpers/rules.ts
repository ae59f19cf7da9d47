import { RuleWatch } from '../../electron/checkpoints/rules/watch.js';
import { ruling } from '../../electron/handlers/ruling.js';
import type { ListedTool, Ports } from '../../electron/ports.js';
import type { Question } from '../../electron/shell/holdpoint.js';
import type { SuspensionKey } from '../../shared/decision.js';
import type { Rule, RuleDraft } from '../../shared/rule.js';
import { itemOf } from './acting.js';
import { klieoRecord, unwrap, World } from './world.js';

export const MAIL = '{"to":"ops@example.com","subject":"Report"}';

/** What a rule says that lets a call go out which is to the letter the one that it was made from. */
export const exactly = (change: Partial<RuleDraft> = {}): RuleDraft => ({
  name: 'Reports to ops',
  verdict: 'approve',
  reason: '',
  conditions: [
    { pointer: '/to', test: 'equals', value: '"ops@example.com"' },
    { pointer: '/subject', test: 'equals', value: '"Report"' },
  ],
  others: false,
  limit: 100,
  days: 30,
  ...change,
});

export const TOOL: ListedTool = {
  server: 'ledger',
  name: 'send_email',
  description: '',
  inputSchema: '{}',
  claims: {},
};

/** A world in which rules answer, and a person who answers the questions of the system. */
export class RuleWorld extends World {
  listed: ListedTool[] = [TOOL];
  asked: Question[] = [];
  logged: string[] = [];
  decidedByRule: SuspensionKey[] = [];
  #runs = 0;
  readonly watch: RuleWatch;
  readonly acts: ReturnType<typeof ruling>;

  constructor(settings: Record<string, unknown> = {}) {
    super({
      tools: [
        { tool: 'send_email', effect: 'changes', repeatable: false },
        { tool: 'delete_file', effect: 'destructive', repeatable: false },
      ],
      ...settings,
    });
    const store = this.store;
    const ports = this.rulePorts;
    this.watch = new RuleWatch({
      store,
      ports,
      decided: async (key) => {
        this.decidedByRule.push(key);
      },
      listServers: async () => undefined,
      log: (text) => this.logged.push(text),
    });
    this.acts = ruling({
      store,
      ports,
      settings: { get: () => this.settings },
      shell: {
        broadcast: () => undefined,
        system: {
          ask: async (question) => {
            this.asked.push(question);
            return this.agrees;
          },
        },
      },
      rules: this.watch,
      listServers: async () => undefined,
    });
  }

  get rulePorts(): Ports {
    return { ...this.ports, listed: () => this.listed };
  }

  /** A run of its own that asks for these calls; by default one mail. */
  ask(...calls: { name: string; args: string }[]): Promise<SuspensionKey> {
    this.#runs += 1;
    const runId = `01K0QZ6V5M3H8D7N2B4C9F${String(this.#runs).padStart(4, '0')}`;
    const all = calls.length > 0 ? calls : [{ name: 'send_email', args: MAIL }];
    return this.put(klieoRecord({ runId, calls: all.map((call, i) => ({ id: `c${i}`, ...call })) }));
  }

  /** Made from a call, and moved by a person as far as `to`. */
  async rule(draft: RuleDraft, key: SuspensionKey, to: Rule['state'] = 'live', call = 0): Promise<Rule> {
    const made = unwrap(await this.acts['rules:add'](itemOf(key), call, draft));
    if (made === null) throw new Error('declined');
    return to === 'shadow' ? made : this.move(made.id, to);
  }

  async move(id: string, to: Rule['state']): Promise<Rule> {
    const { rules } = unwrap(await this.acts['rules:list']());
    const moved = unwrap(await this.acts['rules:move'](id, rules.find((one) => one.rule.id === id)?.revision ?? 0, to));
    if (moved === null) throw new Error('declined');
    return moved;
  }

  async list() {
    return unwrap(await this.acts['rules:list']());
  }
}
