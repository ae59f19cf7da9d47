import { sendable } from '../../shared/arguments.js';
import { fileEditOf } from '../../shared/file-edit.js';
import { readJsonText } from '../../shared/json.js';
import { refused } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { load } from '../checkpoints/records.js';
import { fileBeside } from '../file-beside.js';
import { guarded } from '../store/refusal.js';
import type { Context } from './context.js';
import { withSuspension } from './items.js';

/** The file that a call would change. Its path comes from the stored call; the page names the call alone. */
export function beside({ store, settings }: Context): Pick<Handlers, 'run:file'> {
  return {
    'run:file': (id, index, asked) =>
      guarded(() =>
        withSuspension(id, async (key) => {
          const loaded = await load(store, key);
          if (!loaded.ok) return loaded;
          const call = loaded.value.record.pending?.[index];
          const sent = call ? sendable(call.arguments) : null;
          const read = sent?.ok ? readJsonText(sent.text) : null;
          const edit = read?.ok ? fileEditOf(read.root) : null;
          if (!edit?.path) return refused('bad_request', `Call ${index + 1} names no file that it would change.`);
          return fileBeside({ path: edit.path, folders: settings.get().readFolders, asked });
        }),
      ),
  };
}
