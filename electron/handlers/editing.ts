import { accepted, refused } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { editFaults } from '../checkpoints/edits.js';
import { load } from '../checkpoints/records.js';
import { guarded } from '../store/refusal.js';
import { type Context, listedFor } from './context.js';
import { withSuspension } from './items.js';

/** Looks at an edit while it is typed; nothing is kept or decided. */
export function editing(context: Context): Pick<Handlers, 'edit:check'> {
  return {
    'edit:check': (id, index, text) =>
      guarded(() =>
        withSuspension(id, async (key) => {
          const loaded = await load(context.store, key);
          if (!loaded.ok) return loaded;
          const call = loaded.value.record.pending?.find((one) => one.index === index);
          if (call === undefined) return refused('bad_request', `There is no call ${index + 1}.`);
          return accepted(editFaults(call, text, listedFor(context, key.source)));
        }),
      ),
  };
}
