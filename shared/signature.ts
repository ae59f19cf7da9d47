import type { Decision, Signature, Verdict } from './decision.js';

/** First of all that is signed: no signature of one purpose or version counts for another. */
const PREFIX = 'holdpoint/decision/1\0';

/**
 * What is not signed, since it comes after the signature. `withdrawn` and `objections` only ever hold a decision back;
 * each signature signs its own keyId, name, alg and time.
 */
export const UNSIGNED = ['signatures', 'withdrawn', 'objections'] as const;
type Unsigned = (typeof UNSIGNED)[number];

/** What the signer says of themselves in their signature. */
export type Signer = Omit<Signature, 'value'>;

/**
 * The bytes that a signature signs, as text to be encoded in UTF-8: the prefix, the decision and the signer, each as JSON
 * of a fixed shape without blanks, a line feed between them. Every field always stands, in this order, null where the
 * decision has none; so two decisions that differ in what they say never share a text. docs/SIGNATURES.md has it byte for byte.
 */
export function signedText(decision: Decision, { keyId, name, alg, at }: Signer): string {
  return `${PREFIX}${decisionText(decision)}\n${JSON.stringify({ keyId, name, alg, at })}`;
}

/** The part that all signatures of one decision share. Equal texts say the same, to the last character. */
export function decisionText(decision: Decision): string {
  const { suspension, step, retry, repair, rules, reviewer } = decision;
  return JSON.stringify({
    v: decision.v,
    decisionId: decision.decisionId,
    suspension: {
      system: suspension.system,
      source: suspension.source,
      runId: suspension.runId,
      seq: suspension.seq,
    } satisfies Whole<Decision['suspension']>,
    resumeStep: decision.resumeStep,
    revision: decision.revision,
    digest: decision.digest,
    verdicts: decision.verdicts.map(verdictPart),
    step: step ? ({ verdict: step.verdict, reason: step.reason ?? null } satisfies Whole<typeof step>) : null,
    retry: retry ? ({ turn: retry.turn, warning: retry.warning } satisfies Whole<typeof retry>) : null,
    repair: repair
      ? ({
          unanswered: repair.unanswered.map(({ message, id }) => ({ message, id })),
          leftOut: repair.leftOut ?? null,
        } satisfies Whole<typeof repair>)
      : null,
    rules: rules
      ? rules.map(({ id, name, calls }) => ({ id, name, calls }) satisfies Whole<(typeof rules)[number]>)
      : null,
    reviewer: { name: reviewer.name, keyId: reviewer.keyId ?? null } satisfies Whole<typeof reviewer>,
    decidedAt: decision.decidedAt,
    notBefore: decision.notBefore,
    batchId: decision.batchId ?? null,
    supersedes: decision.supersedes ?? null,
  } satisfies Whole<Omit<Decision, Unsigned>>);
}

function verdictPart({ answer, ...verdict }: Verdict) {
  return {
    index: verdict.index,
    argumentsSha256: verdict.argumentsSha256,
    verdict: verdict.verdict,
    answer: answer ? ({ status: answer.status, text: answer.text } satisfies Whole<typeof answer>) : null,
    reason: verdict.reason ?? null,
    note: verdict.note ?? null,
    editedArguments: verdict.editedArguments ?? null,
    editedSha256: verdict.editedSha256 ?? null,
    typesChanged: verdict.typesChanged ?? null,
  } satisfies Whole<Verdict>;
}

/** Every field of a type, none forgotten: one that is added to the schema does not compile until it is signed here. */
type Whole<T> = { readonly [K in keyof Required<T>]: unknown };
