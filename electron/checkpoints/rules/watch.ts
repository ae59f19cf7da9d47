import type { SuspensionKey } from '../../../shared/decision.js';
import type { Rule } from '../../../shared/rule.js';
import type { Ports } from '../../ports.js';
import type { KvStore } from '../../store/contract.js';
import { decide } from '../decide.js';
import { deskOf } from '../desk.js';
import { claimFacts } from '../facts.js';
import { mayAskFor, readHeadMeta } from '../head.js';
import { DECISIONS, HEADS, parseSuspension, RULES, suspensionText } from '../keys.js';
import { mayAnswerByRule } from '../may-answer.js';
import { mayDecide } from '../may-fire.js';
import { load } from '../records.js';
import { answerOf } from './answer.js';
import { ruleFacts } from './facts.js';
import { allRules, arePaused, countAnswers, standingOf } from './records.js';
import { lookBack, noteDecision } from './shadow.js';

export interface RuleWatchPlan {
  store: KvStore;
  ports: Ports;
  /** A rule decided: the runner is told as after any decision, and so is the window. */
  decided(key: SuspensionKey, notBefore: string): Promise<void>;
  /** Asks the tool servers of a source what they offer, where that is not known yet: once, not again for each call. */
  listServers(source: string): Promise<void>;
  log(text: string): void;
}

/**
 * Lets rules answer what waits, in the window's process alone (H11): one suspension after the other, as they come in and
 * when a rule, the table of tools or the switch was changed. It also holds what people decide against every rule.
 */
export class RuleWatch {
  readonly #plan: RuleWatchPlan;
  readonly #unwatch: (() => void)[] = [];
  #rules: Promise<readonly Rule[]> | null = null;
  #last: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(plan: RuleWatchPlan) {
    this.#plan = plan;
  }

  /** Looks at everything that waits, and from then on at what changes. */
  begin(): void {
    const { store } = this.#plan;
    if (this.#unwatch.length > 0 || this.#ended) return;
    this.#unwatch.push(
      store.watch(HEADS, (keys) => this.#later(() => this.#considerAll(keys))),
      store.watch(DECISIONS, (keys) => this.#later(() => this.#noteAll(keys))),
      store.watch(RULES, () => {
        this.#rules = null;
      }),
    );
    this.#later(async () => {
      await this.#considerAll(null);
      await this.#noteAll(null);
    });
  }

  /** A rule went live, the rules go on, or settings changed: what waits is looked at anew. */
  lookAgain(): Promise<void> {
    this.#rules = null;
    this.#later(() => this.#considerAll(null));
    return this.#last;
  }

  /** Holds a new rule against what was decided so far. */
  lookBackFor(rule: Rule): Promise<void> {
    this.#rules = null;
    this.#later(() => lookBack(this.#plan.store, this.#plan.ports, [rule], () => this.#giveWay()));
    return this.#last;
  }

  end(): void {
    this.#ended = true;
    for (const stop of this.#unwatch) stop();
  }

  #later(act: () => Promise<void>): void {
    this.#last = this.#last.then(async () => {
      if (this.#ended) return;
      await act().catch((error: unknown) => {
        if (!this.#ended) this.#plan.log(`rules could not be looked at: ${String(error)}`);
      });
    });
  }

  async #giveWay(): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve));
    return !this.#ended;
  }

  #known(): Promise<readonly Rule[]> {
    this.#rules ??= allRules(this.#plan.store).then((all) => all.map(({ rule }) => rule));
    return this.#rules;
  }

  async #inForce(): Promise<Rule[]> {
    const now = this.#plan.ports.clock.now();
    return (await this.#known()).filter((rule) => standingOf(rule, now) === 'live');
  }

  async #considerAll(keys: readonly string[] | null): Promise<void> {
    const { store } = this.#plan;
    const live = await this.#inForce();
    if (live.length === 0 || (await arePaused(store))) return;
    if (keys !== null) {
      for (const name of keys) await this.#considerIf(name, live);
      return;
    }
    for (let cursor: string | null = null; ; ) {
      const page = await store.keysPage(HEADS, cursor, 256);
      for (const { key } of page.heads) {
        if (this.#ended) return;
        await this.#considerIf(key, live);
      }
      if (page.next === null || !(await this.#giveWay())) return;
      cursor = page.next;
    }
  }

  /** By the index's copy first: no record is read of which no live rule could speak. */
  async #considerIf(name: string, live: readonly Rule[]): Promise<void> {
    const key = parseSuspension(name);
    if (key === null || !live.some(({ source }) => source === key.source)) return;
    const { store } = this.#plan;
    const head = await store.head(HEADS, name);
    const meta = head && !head.deleted ? readHeadMeta(head.meta) : null;
    if (!meta || meta.l || meta.w || meta.sb !== null || meta.f !== 'waiting') return;
    if (!live.some((rule) => rule.source === key.source && mayAskFor(meta, rule.tool))) return;
    if ((await store.head(DECISIONS, name)) !== null) return;
    await this.#consider(key).catch((error: unknown) => {
      this.#plan.log(`a rule could not answer ${name}: ${String(error)}`);
    });
  }

  async #consider(key: SuspensionKey): Promise<void> {
    const { store, ports } = this.#plan;
    await this.#plan.listServers(key.source);
    const loaded = await load(store, key);
    if (!loaded.ok) return;
    // What a person has begun to write on, or put off, is theirs.
    const desk = await deskOf(store, key);
    if (desk.snoozedUntil !== null || Object.keys(desk.drafts).length > 0) return;
    const said = answerOf(await this.#known(), loaded.value, ports);
    if (said === null) return;
    const { verdicts, rules, owner } = said;
    // Asked before an answer is counted, and by `decide` again.
    const facts = claimFacts(loaded.value, ports);
    const plain = { verdicts, repair: false };
    if (!mayAnswerByRule(facts, ruleFacts(loaded.value, ports), plain).ok || !mayDecide(facts, plain).ok) return;
    if (!(await ports.signing.signer()).ok || (await arePaused(store))) return;
    for (const { id, calls } of rules)
      if (!(await countAnswers(store, ports, id, calls.length))) {
        this.#rules = null;
        return;
      }
    this.#rules = null;
    const { revision, record, head } = loaded.value;
    const binding = { revision, resumeStep: record.resumeStep, digest: head.digest };
    const decided = await decide(store, ports, {
      key,
      binding,
      verdicts,
      repair: false,
      rules,
      reviewer: { name: owner },
    });
    if (decided.ok) await this.#plan.decided(key, decided.value.notBefore);
    else this.#plan.log(`a rule's answer to ${suspensionText(key)} was not taken: ${decided.refusal.text}`);
  }

  /** What a person decided, or took back, is held against every rule that is not over. */
  async #noteAll(keys: readonly string[] | null): Promise<void> {
    const { store, ports } = this.#plan;
    const rules = (await this.#known()).filter(({ state }) => state !== 'off');
    if (rules.length === 0) return;
    if (keys === null) return lookBack(store, ports, rules, () => this.#giveWay());
    for (const name of keys) {
      const key = parseSuspension(name);
      if (key) await noteDecision(store, ports, rules, key);
    }
  }
}
