import { HISTORY, KEPT_WHOLE } from '../checkpoints/keys.js';
import type { Broken } from '../keep/broken.js';
import { readChain } from '../keep/chain.js';
import { verifyHistory } from '../keep/verify-history.js';
import { type Audited, type AuditedKey, bodyOf, bucketsIn, foreignIn, keysIn } from '../store/audit.js';
import { slices } from '../store/slices.js';
import type { Payloads } from './doctor-payloads.js';
import type { Finding } from './finding.js';
import { NewestFiles } from './newest-files.js';

export interface ChainsReading {
  findings: Finding[];
  newest: NewestFiles;
}

const ADVICE = 'Compare with a backup. Nothing here is mended by itself: what a person decided is not guessed at.';

/** Follows every chain of every bucket, and the history with its seals. `payloads` are told which of them a record names. */
export async function examineChains(audited: Audited, payloads: Payloads): Promise<ChainsReading> {
  const reading: ChainsReading = { findings: [], newest: new NewestFiles(audited.volume.now()) };
  const slice = slices();
  const seen = (key: AuditedKey): void => {
    for (const one of key.revisions)
      if (one.header !== null && one.header.len >= 64) payloads.namedIn(bodyOf(audited, key, one));
    reading.newest.note(key);
  };
  for (const bucket of bucketsIn(audited).filter((one) => !HISTORY.includes(one)))
    for (const key of keysIn(audited, bucket)) {
      seen(key);
      reading.findings.push(...readChain(key, !KEPT_WHOLE.includes(bucket)).broken.map(asFinding));
      await slice.pass();
    }
  for (const file of foreignIn(audited))
    reading.findings.push({
      level: 'warning',
      what: 'foreign files',
      text: 'Its name is no record’s name.',
      file: `store/${file}`,
      advice: 'Nothing reads it. If no other program needs it there, move it away.',
      unreadable: true,
    });
  const history = await verifyHistory(audited, { seen });
  reading.findings.push(...history.broken.map(asFinding));
  if (history.ok)
    reading.findings.push({
      level: 'ok',
      what: 'history',
      text: `${history.revisions} revisions follow each other; ${history.seals} seals hold, ${history.unsealed} keys changed since.`,
    });
  return reading;
}

function asFinding({ bucket, key, revision, file, what }: Broken): Finding {
  const which = revision === null ? '' : `, revision ${revision}`;
  return {
    level: 'problem',
    what: 'history',
    text: `${bucket} ${key ?? '?'}${which}: ${what}`,
    advice: ADVICE,
    ...(file === null ? {} : { file: `store/${file}` }),
  };
}
