import { useDeferredValue, useEffect, useState } from 'react';
import type { CallView } from '../../shared/ipc.js';
import { call as ask } from '../bridge.js';
import { checkDraftEdit, confirmedText, type EditCheck, editsOf } from './edit.js';

const TYPING_MS = 250;

interface Fault {
  path: string;
  text: string;
}

export interface CheckedEdit {
  check: EditCheck;
  /** Changes of type in the text as it stands, and whether all of them are confirmed. */
  changes: readonly string[];
  confirmed: boolean;
  /** How it does not fit the schema of the tool's server, as far as was asked. */
  faults: readonly Fault[];
  /** The same, asked now for exactly this text; null when it could not be asked, with nothing said. */
  fits(): Promise<boolean>;
}

const faultsFor = async (itemId: string, index: number, text: string): Promise<readonly Fault[]> => {
  const reply = await ask('edit:check', itemId, index, text);
  return reply.ok ? reply.value : [{ path: '', text: reply.refusal.text }];
};

/** Everything that is looked at in an edit while it is typed: as JSON, its types, and the schema of the tool's server. */
export function useEditCheck(
  { itemId, call, proposed }: { itemId: string; call: CallView; proposed: string },
  value: string,
  unchanged: boolean,
  confirmed: readonly string[],
): CheckedEdit {
  const edits = editsOf(call);
  const bare: EditCheck = unchanged ? { ok: true, changed: false } : checkDraftEdit(proposed, value, edits, '[]');
  const changes = bare.ok ? [] : bare.changes;
  const all = changes.length > 0 && changes.every((one) => confirmed.includes(one));
  const check = all ? checkDraftEdit(proposed, value, edits, confirmedText(changes)) : bare;
  const [asked, setAsked] = useState<{ text: string; faults: readonly Fault[] }>({ text: '', faults: [] });
  const late = useDeferredValue(value);
  const { index } = call;
  const asks = call.hasSchema === true && check.ok && check.changed && late === value;
  useEffect(() => {
    if (!asks) return;
    let current = true;
    const timer = setTimeout(() => {
      void faultsFor(itemId, index, late).then((faults) => current && setAsked({ text: late, faults }));
    }, TYPING_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [asks, late, itemId, index]);
  return {
    check,
    changes,
    confirmed: all,
    faults: asked.text === value ? asked.faults : [],
    fits: async () => {
      if (call.hasSchema !== true || !check.ok || !check.changed) return true;
      const faults = await faultsFor(itemId, index, value);
      setAsked({ text: value, faults });
      return faults.length === 0;
    },
  };
}
