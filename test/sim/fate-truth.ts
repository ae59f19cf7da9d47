import type { OutboxEntry } from '../../electron/sync/io.js';
import type { SharedHead } from '../../electron/sync/protocol/head.js';
import type { Read } from '../../electron/sync/protocol/read.js';
import { idOf, refOf } from '../../electron/sync/protocol/record.js';

/**
 * Why a fate is not true, told from everything that stood in the engine and not by the protocol's own reading of it; null
 * when it is. At the end of a schedule every decision has one that says something.
 */
export function fateTruth(entry: OutboxEntry, reads: readonly Read[], isThere: boolean): string | null {
  const { fate, record } = entry;
  const mine = refOf(record);
  const id = idOf(record);
  const heads = reads.flatMap((read) => (read.kind === 'head' ? [read.head] : []));
  const claimed = heads.find((head) => head.latch !== null);
  const claimedOn = claimed?.decisions.find((one) => one.decisionId === claimed.latch?.decisionId);
  const last = heads.at(-1);
  const holds = (head: SharedHead | undefined, decision: string): boolean =>
    head?.decisions.some((one) => one.decisionId === decision) ?? false;
  const ever = (decision: string): boolean => heads.some((head) => holds(head, decision));
  const named = (by: string): boolean =>
    heads.some((head) => head.decisions.some((one) => one.decisionId === by && one.names.includes(id)));
  const unless = (is: boolean | undefined): string | null => (is ? null : `"${fate.kind}" is not what happened`);
  switch (fate.kind) {
    case 'applied':
      if (fate.claim === null) return unless(ever(id) && claimed === undefined && last?.decision === id);
      return unless(
        claimed?.latch?.decisionId === id && (!fate.claim.done || heads.some(({ state }) => state === 'done')),
      );
    case 'agreed':
      return unless(claimedOn !== undefined && claimedOn.decisionId !== id && claimedOn.mark === mine.mark);
    case 'overruled':
      return unless(named(fate.other.decisionId));
    case 'taken_back':
      return unless(ever(id) || heads.some((head) => head.decisions.some((one) => one.names.includes(id))));
    case 'conflict':
      return unless(
        last?.state === 'suspended' && holds(last, id) && fate.others.every((one) => holds(last, one.decisionId)),
      );
    case 'too_late':
      return unless(
        claimedOn !== undefined && claimedOn.mark !== mine.mark && fate.loud === (mine.verdict !== 'approve'),
      );
    case 'stale':
      return unless(heads.some((head) => head.digest !== entry.digest) && claimedOn?.mark !== mine.mark);
    case 'ended':
      return unless(heads.some((head) => head.state === 'expired' && head.end === fate.end));
    case 'gone':
      return unless(reads.some((read) => read.kind === 'marker' || read.kind === 'sealed'));
    case 'cannot_send':
      return unless(!isThere);
    default:
      return `"${fate.kind}" is no fate to end with`;
  }
}
