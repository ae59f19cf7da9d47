import { type Outcome, refused } from '../../shared/refusal.js';
import { CasConflict, CasIndeterminate, StoreCorrupt, StoreFull, StoreReadOnly } from '../store/contract.js';

/** A fault of the store as the refusal that a person can act on; anything else is thrown on as the fault it is. */
export function storeRefusal(error: unknown): Outcome<never> {
  if (error instanceof StoreFull) return refused('store_full', `Nothing was saved: ${error.message}`);
  if (error instanceof StoreReadOnly) return refused('store_read_only', `Nothing was saved: ${error.message}`);
  if (error instanceof StoreCorrupt) return refused('store_corrupt', error.message);
  if (error instanceof CasIndeterminate)
    return refused(
      'in_doubt',
      `The disk cannot say whether this was saved: ${error.message} Look again before you rely on it.`,
    );
  if (error instanceof CasConflict)
    return refused('changed_since_you_looked', 'Somebody else changed this at the same moment. Look again.');
  throw error;
}

/** Every handler that reads or writes the store answers its faults as refusals (I4: unsaved is never shown as saved). */
export async function guarded<T>(act: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await act();
  } catch (error) {
    return storeRefusal(error);
  }
}
