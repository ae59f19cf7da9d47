import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { Rule, RuleDraft } from '../../shared/rule.js';
import { formatNs } from '../../shared/time.js';
import type { Handlers } from '../answering.js';
import { maySpeakOf } from '../checkpoints/may-answer.js';
import { load } from '../checkpoints/records.js';
import { ruledCall } from '../checkpoints/rules/answer.js';
import { ruleFacts } from '../checkpoints/rules/facts.js';
import { conditionFault, speaksOf } from '../checkpoints/rules/match.js';
import {
  addRule,
  allRules,
  arePaused,
  moveRule,
  pauseRules,
  readRule,
  standingOf,
} from '../checkpoints/rules/records.js';
import { shadowFigures } from '../checkpoints/rules/shadow.js';
import type { RuleWatch } from '../checkpoints/rules/watch.js';
import type { Shell } from '../shell/holdpoint.js';
import { guarded } from '../store/refusal.js';
import type { Acting } from './context.js';
import { withSuspension } from './items.js';
import { ruleWords } from './rule-words.js';

type Ruling = Pick<Handlers, 'rules:list' | 'rules:add' | 'rules:move' | 'rules:pause'>;

interface Ruler extends Pick<Acting, 'store' | 'ports' | 'settings'> {
  shell: Pick<Shell, 'broadcast'> & { system: Pick<Shell['system'], 'ask'> };
  rules: Pick<RuleWatch, 'lookAgain' | 'lookBackFor'>;
  /** Asks the tool servers of a source what they offer, where that is not known yet. */
  listServers(source: string): Promise<void>;
}

const DAY_NS = 86_400_000_000_000n;
/** A question of the system shows about this much whole. Characters. */
const LONGEST_QUESTION = 3000;

/** A rule that counts an answer between two looks is looked at again. */
const SAFER_LOOKS = 100;

const nameless = () =>
  refused('not_allowed', 'Enter your name in the settings first: a rule decides in it.', { missing: 'reviewer' });

/**
 * Rules that answer in a person's stead. The page can propose and pause; what lets a rule decide anything is a person's
 * answer to a question of the system's own, which shows the whole rule.
 */
export function ruling(context: Ruler): Ruling {
  const { store, ports, shell, rules } = context;
  const owner = (): string => context.settings.get().reviewer.trim();
  const changed = (): void => shell.broadcast('settings:changed');

  async function add(id: string, index: number, draft: RuleDraft): Promise<Outcome<Rule | null>> {
    if (owner() === '') return nameless();
    const made = await withSuspension(id, async (key) => {
      await context.listServers(key.source);
      const loaded = await load(store, key);
      if (!loaded.ok) return loaded;
      const call = loaded.value.record.pending?.find((one) => one.index === index);
      if (call === undefined) return refused('bad_request', `There is no call ${index + 1}.`);
      const may = maySpeakOf(call.name, ruleFacts(loaded.value, ports));
      if (!may.ok) return may;
      return ruleOf(draft, ruledCall(key.source, call, ports));
    });
    if (!made.ok) return made;
    const detail = `${ruleWords(made.value)}\n\nIt begins in shadow: it decides nothing, and counts what it would have said.`;
    if (detail.length > LONGEST_QUESTION)
      return refused('bad_request', 'This rule is too long to be shown whole where you agree to it.');
    if (!(await shell.system.ask({ message: 'Make this rule?', detail, yes: 'Make it', no: 'No' })))
      return accepted(null);
    await addRule(store, made.value);
    void rules.lookBackFor(made.value).then(changed);
    changed();
    return made;
  }

  function ruleOf({ days, ...draft }: RuleDraft, call: ReturnType<typeof ruledCall>): Outcome<Rule> {
    if (call.server === undefined)
      return refused(
        'not_allowed',
        `No rule can be made: it is not known which tool server gets ${call.tool}. Test the servers of ${call.source} in the settings; exactly one must offer it.`,
      );
    const fault = conditionFault(draft.conditions);
    if (fault !== null) return refused('bad_request', fault);
    const { source, server, tool } = call;
    const now = ports.clock.now();
    const createdAt = formatNs(now);
    const rule: Rule = {
      v: 1,
      id: ports.ids.ulid().toLowerCase(),
      ...draft,
      source,
      server,
      tool,
      owner: owner(),
      createdAt,
      expiresAt: formatNs(now + BigInt(days) * DAY_NS),
      state: 'shadow',
      used: 0,
      moves: [{ at: createdAt, by: owner(), to: 'shadow' }],
    };
    return speaksOf(rule, call)
      ? accepted(rule)
      : refused('bad_request', 'This rule does not speak of the call that it is made from. Check its conditions.');
  }

  async function move(id: string, revision: number, to: Rule['state']): Promise<Outcome<Rule | null>> {
    if (owner() === '') return nameless();
    const at = await readRule(store, id);
    if (at === null) return refused('not_found', 'There is no such rule.');
    const question = questionFor(at.rule, to);
    if (question !== null && at.revision !== revision)
      return refused('changed_since_you_looked', 'The rule has changed since you looked; it is shown anew.', { id });
    if (question !== null && !(await shell.system.ask(question))) return accepted(null);
    const moved =
      question === null ? await makeSafer(id, to) : await moveRule(store, ports, { id, revision, to, by: owner() });
    if (moved.ok) void rules.lookAgain();
    changed();
    return moved;
  }

  /** What only makes it safer is not held up by the answers that it counts meanwhile. */
  async function makeSafer(id: string, to: Rule['state']): Promise<Outcome<Rule>> {
    for (let look = 0; ; look++) {
      const at = await readRule(store, id);
      if (at === null) return refused('not_found', 'There is no such rule.');
      const moved = await moveRule(store, ports, { id, revision: at.revision, to, by: owner() });
      if (moved.ok || moved.refusal.code !== 'changed_since_you_looked' || look >= SAFER_LOOKS) return moved;
    }
  }

  return {
    'rules:list': () =>
      guarded(async () => {
        const [all, figures, paused] = await Promise.all([allRules(store), shadowFigures(store), arePaused(store)]);
        const now = ports.clock.now();
        const views = all.map(({ rule, revision }) => ({
          rule,
          revision,
          standing: standingOf(rule, now),
          figures: figures.get(rule.id) ?? { approved: 0, edited: 0, rejected: 0 },
        }));
        return accepted({ rules: views, paused });
      }),
    'rules:add': (id, index, draft) => guarded(() => add(id, index, draft)),
    'rules:move': (id, revision, to) => guarded(() => move(id, revision, to)),
    'rules:pause': (paused) =>
      guarded(async () => {
        if (paused === (await arePaused(store))) return accepted({ paused });
        const detail = 'Every live rule decides again, with no person looking.';
        if (
          !paused &&
          !(await shell.system.ask({ message: 'Let the rules go on?', detail, yes: 'Let them', no: 'No' }))
        )
          return accepted({ paused: true });
        await pauseRules(store, ports, paused, owner() || 'unnamed reviewer');
        if (!paused) void rules.lookAgain();
        changed();
        return accepted({ paused });
      }),
  };
}

/** What must be asked before a rule moves there; null where it only gets safer. */
function questionFor(rule: Rule, to: Rule['state']) {
  if (to === 'live')
    return { message: 'Let this rule decide?', detail: ruleWords(rule), yes: 'Let it decide', no: 'No' };
  // One that rejects also keeps every other rule from approving.
  return rule.verdict === 'reject'
    ? { message: 'Take this rule back, which rejects?', detail: ruleWords(rule), yes: 'Take it back', no: 'No' }
    : null;
}
