import type { z } from 'zod';
import { Decision } from '../../shared/decision.js';
import { Head, readHeadMeta } from '../checkpoints/head.js';
import { DECISIONS } from '../checkpoints/keys.js';
import { type Audited, type AuditedKey, bodyOf } from '../store/audit.js';
import type { Broken } from './broken.js';

/** What the head of a suspension says about its decision. */
interface Bound {
  digest: string | null;
  pin: { revision: number; sha256: string | null } | null;
  file: string;
}

/** Records name each other where one acts on the other: a decision its record's digest, a claim its decision's bytes. */
export class Bindings {
  readonly #audited: Audited;
  readonly #heads = new Map<string, Bound>();

  constructor(audited: Audited) {
    this.#audited = audited;
  }

  noteHead(key: AuditedKey): void {
    const newest = key.revisions.at(-1);
    if (key.key === null || newest?.header == null) return;
    const put = key.revisions.findLast(({ header }) => header?.op === 'put');
    const head = put === undefined ? null : parse(Head, bodyOf(this.#audited, key, put));
    const latch = head?.latch ?? null;
    const pin =
      latch === null || latch.decisionRevision === null
        ? null
        : { revision: latch.decisionRevision, sha256: latch.decisionSha256 };
    const digest = head?.digest ?? readHeadMeta(newest.header.meta)?.d ?? null;
    this.#heads.set(key.key, { digest, pin, file: newest.file });
  }

  /** Heads come first. */
  checkDecision(key: AuditedKey): Broken[] {
    const head = key.key === null ? undefined : this.#heads.get(key.key);
    if (key.key === null || head === undefined) return [];
    const broken: Broken[] = [];
    const say = (file: string | null, revision: number | null, what: string) =>
      broken.push({ file, bucket: DECISIONS, key: key.key, revision, what });
    for (const one of key.revisions) {
      const decision = parse(Decision, bodyOf(this.#audited, key, one));
      if (decision !== null && head.digest !== null && decision.digest !== head.digest)
        say(
          one.file,
          one.revision,
          'It was made on another record than the one that it stands for: the digests differ.',
        );
    }
    const { pin } = head;
    if (pin !== null) {
      const pinned = key.revisions.find(({ revision }) => revision === pin.revision);
      if (pinned?.header != null && pin.sha256 !== null && pinned.header.sha256 !== pin.sha256)
        say(pinned.file, pin.revision, 'It is not the decision that the claim acted on: its sha256 differs.');
      this.#heads.set(key.key, { ...head, pin: pinned === undefined ? pin : null });
    }
    return broken;
  }

  /** Claims whose decision nobody found. Decisions come first. */
  unmet(): Broken[] {
    return [...this.#heads].flatMap(([key, { pin, file }]) =>
      pin === null
        ? []
        : [
            {
              file,
              bucket: DECISIONS,
              key,
              revision: pin.revision,
              what: 'The decision that this claim acted on is missing.',
            },
          ],
    );
  }
}

function parse<T>(schema: z.ZodType<T>, bytes: Uint8Array | null): T | null {
  if (bytes === null) return null;
  try {
    return schema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch {
    return null;
  }
}
