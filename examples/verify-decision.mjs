#!/usr/bin/env node
// Verifies a decision with nothing of Holdpoint's own: node verify-decision.mjs DECISION.json PUBLIC-KEY…
// What is signed stands in docs/SIGNATURES.md. Exit code 0: its author's signature, and every other by a key that was
// given, holds. 1: the first thing that does not is printed.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [file = '-', ...keys] = process.argv.slice(2);
const decision = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
const known = new Map(keys.map((key) => [keyId(key), key]));

/** The fingerprint of a raw public key in base64. */
function keyId(publicKey) {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 32);
}

/** An object with exactly these fields, in this order; null where the decision has none. */
const shape = (value, fields) =>
  value == null
    ? null
    : Object.fromEntries(fields.map((field) => [field, value[field] === undefined ? null : value[field]]));
const list = (values, fields) => (values == null ? null : values.map((value) => shape(value, fields)));

function decisionText(d) {
  const verdicts = list(d.verdicts, [
    'index',
    'argumentsSha256',
    'verdict',
    'answer',
    'reason',
    'note',
    'editedArguments',
    'editedSha256',
    'typesChanged',
  ]).map((verdict) => ({ ...verdict, answer: shape(verdict.answer, ['status', 'text']) }));
  const repair = shape(d.repair, ['unanswered', 'leftOut']);
  return JSON.stringify({
    v: d.v,
    decisionId: d.decisionId,
    suspension: shape(d.suspension, ['system', 'source', 'runId', 'seq']),
    resumeStep: d.resumeStep,
    revision: d.revision,
    digest: d.digest,
    verdicts,
    step: shape(d.step, ['verdict', 'reason']),
    retry: shape(d.retry, ['turn', 'warning']),
    repair: repair && { ...repair, unanswered: list(repair.unanswered, ['message', 'id']) },
    rules: list(d.rules, ['id', 'name', 'calls']),
    reviewer: shape(d.reviewer, ['name', 'keyId']),
    decidedAt: d.decidedAt,
    notBefore: d.notBefore,
    batchId: d.batchId ?? null,
    supersedes: d.supersedes ?? null,
  });
}

function holds(signature, publicKey) {
  const signer = shape(signature, ['keyId', 'name', 'alg', 'at']);
  const text = `holdpoint/decision/1\0${decisionText(decision)}\n${JSON.stringify(signer)}`;
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(publicKey, 'base64')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return (
    signature.alg === 'ed25519' && verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature.value, 'base64'))
  );
}

const fail = (why) => {
  console.error(`NOT VALID: ${why}`);
  process.exit(1);
};
if (!decision.signatures.some(({ keyId: id }) => id === decision.reviewer.keyId))
  fail(`no signature of its author, ${decision.reviewer.name}`);
if (!known.has(decision.reviewer.keyId)) fail(`its author's key ${decision.reviewer.keyId} is none of those given`);
for (const signature of decision.signatures) {
  const publicKey = known.get(signature.keyId);
  if (publicKey === undefined) console.log(`not counted: a signature of the unknown key ${signature.keyId}`);
  else if (holds(signature, publicKey))
    console.log(`signed by ${signature.name} (${signature.keyId}) at ${signature.at}`);
  else fail(`the signature of ${signature.name} (${signature.keyId}) does not fit`);
}
