import { refused } from '../../shared/refusal.js';
import { locateDataFolder, openDataFolder } from '../data-folder.js';
import { isStoreHere } from '../engine/store-here.js';
import type { Broken } from '../keep/broken.js';
import { type HistoryReport, verifyHistory } from '../keep/verify-history.js';
import { keysEver } from '../signing/key-file.js';
import { lookAt } from '../store/audit.js';
import { storeRefusal } from '../store/refusal.js';
import { type Call, maybeText, sayRefused, UsageError } from './command.js';
import { EXIT, type Exit } from './exit.js';
import { write } from './io.js';
import { toJson } from './json.js';
import { oneLine } from './text.js';

/** `history --verify`: from the files alone, without opening the store; exit 5 when the history does not hold. */
export async function verify(call: Call): Promise<Exit> {
  const anchor = maybeText(call, 'anchor');
  if (anchor !== undefined && !/^[0-9a-f]{64}$/.test(anchor))
    throw new UsageError('--anchor takes the hash of a seal, as --verify printed it: 64 hex digits');
  const located = locateDataFolder(call.data);
  if (!located.ok) return sayRefused(call, located.refusal);
  const folder = openDataFolder(located.value, { make: false });
  if (!folder.ok) return sayRefused(call, folder.refusal);
  const { store } = folder.value;
  if (!(await isStoreHere(store)))
    return sayRefused(call, refused('not_found', `There is no store in ${store}.`, { path: store }).refusal);
  let report: HistoryReport;
  try {
    report = await verifyHistory(lookAt(store), { anchor, known: keysEver(folder.value.path) });
  } catch (error) {
    const refusal = storeRefusal(error);
    if (refusal.ok) throw error;
    return sayRefused(call, refusal.refusal);
  }
  await write(call.io.stdout, call.json ? `${toJson(report)}\n` : `${inWords(report)}\n`);
  return report.ok ? EXIT.ok : EXIT.store;
}

/** So many of what is not sealed are told. */
const MOST = 20;

function inWords(report: HistoryReport): string {
  const { keys, revisions, seals, newestSeal, unsealed, tail, beforeTheChain, signatures, broken } = report;
  const lines = [
    `${revisions} revisions of ${keys} keys, ${seals} seals.`,
    ...(beforeTheChain > 0 ? [`${beforeTheChain} revisions are from before the chain and name nothing.`] : []),
    `${signatures.good} signatures of decisions hold; ${signatures.unknown} are of keys that are not known here; ${signatures.unsigned} decisions carry none.`,
    ...(unsealed > 0
      ? [
          `${unsealed} keys changed since the newest seal; until the next one, who alters their newest revisions is not found out:`,
          ...tail
            .slice(0, MOST)
            .map((one) => `not sealed yet: ${one.bucket} ${oneLine(one.key ?? '?')}, revision ${one.revision}`),
          ...(unsealed > MOST ? [`and ${unsealed - MOST} more`] : []),
        ]
      : []),
    ...(newestSeal === null
      ? ['Nothing was sealed yet: records that go as a whole would not be missed.']
      : [
          `Newest seal: ${newestSeal.n}, ${oneLine(newestSeal.at)}, ${newestSeal.hash}. Note the hash elsewhere, and give it as --anchor next time.`,
        ]),
  ];
  const [first] = broken;
  if (first === undefined)
    return [...lines, 'The history holds: nothing was altered, removed, reordered or inserted.'].join('\n');
  const rest = broken.length - 1;
  return [
    ...lines,
    `THE HISTORY DOES NOT HOLD. First broken place: ${placeOf(first)}`,
    ...broken.slice(1, 100).map((one) => `also: ${placeOf(one)}`),
    ...(rest >= 100 ? [`and ${rest - 99} more (all of them with --json)`] : []),
  ].join('\n');
}

function placeOf({ bucket, key, revision, file, what }: Broken): string {
  const which = revision === null ? '' : `, revision ${revision}`;
  return `${bucket} ${oneLine(key ?? '?')}${which}${file === null ? '' : ` (${oneLine(file)})`}: ${oneLine(what)}`;
}
