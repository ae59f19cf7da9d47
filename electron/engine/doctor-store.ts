import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { lookAt } from '../store/audit.js';
import { openStore } from '../store/file-store.js';
import { LOOKED_AT } from '../store/write-right.js';
import { examineChains } from './doctor-chains.js';
import { examineClock } from './doctor-clock.js';
import { examineIndex } from './doctor-index.js';
import { examinePayloads, Payloads } from './doctor-payloads.js';
import { examineRecords } from './doctor-records.js';
import type { Finding } from './finding.js';
import { isStoreHere } from './store-here.js';

/** Looks at every file of a store, without opening it for use: nothing is made, written or mended. */
export async function examineStore(folder: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    if (!(await isStoreHere(folder))) return [{ level: 'ok', what: 'records', text: 'There is no store yet.' }];
    const audited = lookAt(folder);
    const store = await openStore(folder, { readOnly: true });
    try {
      findings.push(await examineRights(folder, store.readOnlyReason));
      findings.push(...(await examineRecords(store)));
      const payloads = new Payloads(audited);
      const { findings: chains, newest } = await examineChains(audited, payloads);
      findings.push(...chains);
      findings.push(...(await examinePayloads(audited, payloads)));
      findings.push(...(await examineIndex(audited, store, newest)));
      findings.push(...(await examineClock(store, newest)));
    } finally {
      await store.close();
    }
  } catch (error) {
    findings.push({
      level: 'problem',
      what: 'records',
      text: error instanceof Error ? error.message : String(error),
      advice: 'Nothing was changed. Put the folder right, or open it with the Holdpoint that wrote it.',
    });
  }
  return findings;
}

async function examineRights(folder: string, readOnly: string | null): Promise<Finding> {
  const what = 'records';
  if (readOnly !== null && readOnly !== LOOKED_AT)
    return {
      level: 'problem',
      what,
      text: `The store is read-only: ${readOnly}.`,
      advice: 'If this folder is the one to go on with, take it over by name in the settings of the window.',
    };
  const writable = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  return writable
    ? { level: 'ok', what, text: 'The store can be read and written.' }
    : {
        level: 'problem',
        what,
        text: `This user may not write ${folder}.`,
        advice: 'Give this user the rights to it.',
      };
}
