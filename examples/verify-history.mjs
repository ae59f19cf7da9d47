#!/usr/bin/env node
// Verifies the history of a Holdpoint store with nothing of Holdpoint's own: node verify-history.mjs DATA-FOLDER/store
// What is checked, and why, stands in docs/HISTORY.md. Exit code 0: it holds. 1: the first broken place is printed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const HISTORY = ['suspensions', 'decisions', 'journals', 'evidence', 'neighbours'];
const WHOLE = ['decisions', 'journals', 'evidence', 'seals'];
const store = process.argv[2] ?? '.';
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

class Broken extends Error {}
const broken = (where, what) => {
  throw new Broken(`${where}: ${what}`);
};

/** One record file: a header line, a line feed, the bytes. */
function readRecord(path, bucket, revision) {
  const bytes = readFileSync(path);
  const end = bytes.indexOf(0x0a);
  if (end < 0) broken(path, 'no header line');
  const line = bytes.subarray(0, end).toString('utf8');
  const sum = /,"sum":"([0-9a-f]{16})"\}$/.exec(line);
  if (!sum || sha256(`${line.slice(0, sum.index)}}`).slice(0, 16) !== sum[1]) broken(path, 'the header was altered');
  const header = JSON.parse(line);
  const body = bytes.subarray(end + 1);
  if (body.length !== header.len || sha256(body) !== header.sha256) broken(path, 'the content was altered');
  if (header.bucket !== bucket || header.rev !== revision) broken(path, 'it is the record of another place');
  return { ...header, body, hash: sha256(line), path };
}

/** The records of a bucket, by key, in order of their revisions. */
function readBucket(bucket) {
  const keys = new Map();
  const folder = join(store, 'k', bucket);
  for (const shard of existsSync(folder) ? readdirSync(folder).filter((name) => /^[0-9a-f]{2}$/.test(name)) : [])
    for (const name of readdirSync(join(folder, shard)).sort()) {
      const path = join(folder, shard, name);
      const slot = /\.(\d{10})(\.json)?$/.exec(name);
      if (!slot) broken(path, 'a file that is no record');
      const record = readRecord(slot[2] ? path : join(path, 'record'), bucket, Number(slot[1]));
      keys.set(record.key, [...(keys.get(record.key) ?? []), record]);
    }
  for (const records of keys.values()) checkChain(records, WHOLE.includes(bucket));
  return keys;
}

function checkChain(records, whole) {
  const [first, newest] = [records[0], records.at(-1)];
  const dropped = first.rev - 1;
  if (dropped > (whole ? 0 : Math.max(0, newest.rev - (newest.op === 'del' ? 1 : 8))))
    broken(first.path, 'revisions before it are missing');
  records.slice(1).forEach((record, i) => {
    const before = records[i];
    if (record.rev !== before.rev + 1) broken(record.path, 'the revision before it is missing');
    const isOld = record.before === undefined && before.before === undefined;
    if (!isOld && record.before !== before.hash) broken(record.path, 'it does not name the revision before it');
  });
}

/** The seals in order; returns what the newest one that names a key says of it. */
function readSeals() {
  const sealed = new Map();
  let previous = '';
  let count = 0;
  for (const [key, [record, second]] of [...readBucket('seals')].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const seal = JSON.parse(record.body.toString('utf8'));
    if (second || Number(key) !== count + 1 || seal.n !== count + 1)
      broken(record.path, `seal ${count + 1} is missing`);
    if (seal.previous !== previous) broken(record.path, 'it does not name the seal before it');
    for (const [bucket, name, revision, op, hash] of seal.entries)
      sealed.set(`${bucket}\0${name}`, { bucket, name, revision, op, hash, at: seal.at });
    previous = record.hash;
    count++;
  }
  return { sealed, count, previous };
}

function checkSealed({ sealed }, buckets) {
  for (const { bucket, name, revision, op, hash, at } of sealed.values()) {
    const records = buckets.get(bucket)?.get(name) ?? [];
    const isOldTombstone = op === 'del' && Date.now() - Date.parse(at) > 90 * 24 * 3600_000;
    if (records.length === 0 && !isOldTombstone) broken(`${bucket} ${name}`, 'all of its records are missing');
    const there = records.find((record) => record.rev === revision);
    if (records.length > 0 && records.at(-1).rev < revision)
      broken(records[0].path, 'its newest revisions are missing');
    if (there && there.hash !== hash) broken(there.path, 'it is not what was sealed');
  }
}

function checkBindings(buckets) {
  for (const [name, records] of buckets.get('suspensions') ?? []) {
    const newest = records.findLast((record) => record.op === 'put');
    if (!newest) continue;
    const head = JSON.parse(newest.body.toString('utf8'));
    const decisions = buckets.get('decisions')?.get(name) ?? [];
    for (const record of decisions) {
      const { digest } = JSON.parse(record.body.toString('utf8'));
      if (digest !== undefined && digest !== head.digest) broken(record.path, 'it was made on another record');
    }
    const pin = head.latch?.decisionRevision;
    if (pin == null) continue;
    const pinned = decisions.find((record) => record.rev === pin);
    if (!pinned) broken(newest.path, `the decision that it acted on, revision ${pin}, is missing`);
    const { decisionSha256 } = head.latch;
    if (decisionSha256 && decisionSha256 !== pinned.sha256) broken(pinned.path, 'the claim acted on another decision');
  }
}

try {
  const seals = readSeals();
  const buckets = new Map(HISTORY.map((bucket) => [bucket, readBucket(bucket)]));
  checkSealed(seals, buckets);
  checkBindings(buckets);
  console.log(`The history holds. ${seals.count} seals; the hash of the newest is ${seals.previous || 'none'}.`);
} catch (error) {
  if (!(error instanceof Broken)) throw error;
  console.log(`The history does not hold. ${error.message}`);
  process.exitCode = 1;
}
