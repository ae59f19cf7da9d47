import { type Outcome, refused } from '../../shared/refusal.js';
import {
  CasConflict,
  CasIndeterminate,
  StoreBadInput,
  StoreCorrupt,
  StoreFault,
  StoreFull,
  StoreReadOnly,
  StoreTooNew,
} from './contract.js';

/** A fault of the store as a refusal that says what it means for the caller; any other error is thrown on. */
export function storeRefusal(error: unknown): Outcome<never> {
  if (error instanceof StoreFull) return refused('store_full', `Nothing was saved: ${error.message}`);
  if (error instanceof StoreReadOnly) return refused('store_read_only', `Nothing was saved: ${error.message}`);
  if (error instanceof StoreCorrupt) return refused('store_corrupt', error.message);
  if (error instanceof StoreTooNew) return refused('store_corrupt', error.message, { tooNew: true });
  if (error instanceof StoreFault) return refused('fault', `Nothing was saved: ${error.message}`);
  if (error instanceof StoreBadInput) return refused('bad_request', error.message);
  if (error instanceof CasIndeterminate)
    return refused(
      'in_doubt',
      `The disk cannot say whether this was saved: ${error.message} Look again before relying on it.`,
    );
  if (error instanceof CasConflict)
    return refused('changed_since_you_looked', 'Another process changed this at the same moment. Look again.');
  throw error;
}

/** Runs something on the store; its faults come back as refusals. */
export async function guarded<T>(act: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await act();
  } catch (error) {
    return storeRefusal(error);
  }
}
