import { z } from 'zod';

/** A rule stands at most this long, in days, and answers at most this often. */
export const MOST_DAYS = 90;
export const MOST_ANSWERS = 1000;
const MOST_CONDITIONS = 20;
/** Longer ones cannot be shown whole where a person agrees to the rule. UTF-16 units. */
const LONGEST_VALUE = 500;

/** Where in the arguments, as a JSON pointer (RFC 6901): `/to/0/name`; '' is the whole. */
const Pointer = z
  .string()
  .max(LONGEST_VALUE)
  .regex(/^(\/([^~]|~[01])*)*$/, 'a JSON pointer as /to/0/name');
/** One JSON value as written: `"Berlin"`, `500`, `true`. */
const Value = z.string().min(1).max(LONGEST_VALUE);
const Bound = z
  .string()
  .regex(/^-?(0|[1-9]\d{0,99})(\.\d{1,100})?$/, 'a plain decimal number')
  .nullable();

/** What one value of the arguments must be, so that the rule speaks of the call. */
export const RuleCondition = z.discriminatedUnion('test', [
  z.strictObject({ pointer: Pointer, test: z.literal('equals'), value: Value }),
  z.strictObject({ pointer: Pointer, test: z.literal('one_of'), values: z.array(Value).min(1).max(20) }),
  /** Both ends count; null is no bound. */
  z.strictObject({ pointer: Pointer, test: z.literal('range'), min: Bound, max: Bound }),
  z.strictObject({ pointer: Pointer, test: z.literal('prefix'), prefix: z.string().min(1).max(LONGEST_VALUE) }),
]);
export type RuleCondition = z.infer<typeof RuleCondition>;

const Said = {
  name: z.string().trim().min(1).max(100),
  verdict: z.enum(['approve', 'reject']),
  /** Goes to the agent with a rejection. */
  reason: z.string().max(2000),
  conditions: z.array(RuleCondition).min(1).max(MOST_CONDITIONS),
  /** Arguments that no condition names may be there, too. */
  others: z.boolean(),
  /** Answers at most this many calls. */
  limit: z.number().int().min(1).max(MOST_ANSWERS),
};

/** A rule as it is proposed for one call. Source, server and tool are those of the stored call, never the page's word. */
export const RuleDraft = z.strictObject({ ...Said, days: z.number().int().min(1).max(MOST_DAYS) });
export type RuleDraft = z.infer<typeof RuleDraft>;

/** `shadow`: it only notes what it would have said. `off`: it is over, and never comes back. */
export const RULE_STATES = ['shadow', 'live', 'off'] as const;
export type RuleState = (typeof RULE_STATES)[number];

/** A rule that answers in a person's stead: one exact tool, and what its arguments must be. All but state and count is fixed. */
export const Rule = z.strictObject({
  v: z.literal(1),
  id: z.string(),
  ...Said,
  source: z.string(),
  /** Null: no tool server is known for this source. */
  server: z.string().nullable(),
  tool: z.string(),
  /** Whose rule it is: what it decides carries this name. */
  owner: z.string().min(1),
  createdAt: z.string(),
  expiresAt: z.string(),
  state: z.enum(RULE_STATES),
  /** How many calls it has answered. */
  used: z.number().int().min(0),
  /** Who moved it, oldest first. */
  moves: z.array(z.strictObject({ at: z.string(), by: z.string(), to: z.enum(RULE_STATES) })),
});
export type Rule = z.infer<typeof Rule>;

/** What people decided on the calls that a rule speaks of: what it would have got wrong. Counts of calls. */
export const RuleFigures = z.strictObject({
  approved: z.number().int(),
  edited: z.number().int(),
  rejected: z.number().int(),
});
export type RuleFigures = z.infer<typeof RuleFigures>;

export const RuleView = z.strictObject({
  rule: Rule,
  /** Names this state of the rule: what is switched is what was seen. */
  revision: z.number().int(),
  standing: z.enum(['shadow', 'live', 'off', 'expired', 'used_up']),
  figures: RuleFigures,
});
export type RuleView = z.infer<typeof RuleView>;

export const RuleList = z.strictObject({ rules: z.array(RuleView), paused: z.boolean() });
export type RuleList = z.infer<typeof RuleList>;
