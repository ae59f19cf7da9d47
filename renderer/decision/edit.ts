import { checkEdit, sendable } from '../../shared/arguments.js';
import type { CallView } from '../../shared/ipc.js';
import { remember } from '../app/remember.js';

/** What an edit may be: an object for a tool, or any JSON value. */
export type Edits = 'object' | 'any_value';

export const editsOf = ({ edits }: Pick<CallView, 'edits'>): Edits => edits ?? 'object';

export type EditCheck = { ok: true; changed: boolean } | { ok: false; reason: string };

/**
 * Looks at an edit before it may be kept: it must read as strict JSON, and every value keeps its type (C20). The tool's
 * name is no part of it and cannot change (C18).
 */
export const checkDraftEdit = remember((proposed: string, edited: string, edits: Edits): EditCheck => {
  if (edited === proposed) return { ok: true, changed: false };
  const checked = checkEdit(proposed, edited, { anyValue: edits === 'any_value' });
  return checked.ok ? { ok: true, changed: true } : { ok: false, reason: checked.refusal.text };
});

/** What would be sent for the proposed text as it is: the base of an edit, and of its difference. */
export function sentText(proposed: string, edits: Edits): string {
  if (edits === 'any_value') return proposed;
  const sent = sendable(proposed);
  return sent.ok ? sent.text : proposed;
}
