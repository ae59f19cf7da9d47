import { useCallback, useEffect, useState } from 'react';
import type { FileBeside } from '../../shared/file-beside.js';
import type { CallView } from '../../shared/ipc.js';
import { call as ask } from '../bridge.js';

export type Beside =
  | { state: 'none' | 'reading'; read: () => void }
  | { state: 'refused'; why: string; read: () => void }
  | { state: 'read'; file: FileBeside; read: () => void };

type Found = { state: 'none' | 'reading' } | { state: 'refused'; why: string } | { state: 'read'; file: FileBeside };

/** The file that a call names, read at once where the settings allow its folder, else by an act of the reviewer. */
export function useFileBeside(itemId: string, call: CallView, hasPath: boolean): Beside {
  const [found, setFound] = useState<Found>({ state: 'none' });
  const look = useCallback(
    async (asked: boolean, isCurrent: () => boolean): Promise<void> => {
      const reply = await ask('run:file', itemId, call.index, asked);
      if (!isCurrent()) return;
      if (reply.ok) setFound({ state: 'read', file: reply.value });
      // Not being asked is no fault: there is a button.
      else if (asked) setFound({ state: 'refused', why: reply.refusal.text });
    },
    [itemId, call.index],
  );
  useEffect(() => {
    let current = true;
    setFound({ state: 'none' });
    if (hasPath) void look(false, () => current);
    return () => {
      current = false;
    };
  }, [look, hasPath]);
  const read = useCallback(() => {
    setFound({ state: 'reading' });
    void look(true, () => true);
  }, [look]);
  return { ...found, read };
}
