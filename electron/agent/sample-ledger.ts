import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';

/** The sample server's only effect: this file gets one line for each call. */
export function ledgerPath(dataFolder: string): string {
  return join(dataFolder, 'samples', 'ledger.txt');
}

/** Appends one line (time, tool, arguments as they came) and returns after it is on disk. */
export async function writeLedgerLine(dataFolder: string, tool: string, argumentsText: string): Promise<void> {
  const path = ledgerPath(dataFolder);
  await mkdir(join(dataFolder, 'samples'), { recursive: true, mode: 0o700 });
  const file = await open(path, 'a', 0o600);
  try {
    const oneLine = argumentsText.replace(/[\r\n]/g, ' ');
    await file.appendFile(`${new Date().toISOString()}\t${tool}\t${oneLine}\n`, 'utf8');
    await file.sync();
  } finally {
    await file.close();
  }
}
