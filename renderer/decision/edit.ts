import { checkEdit, sendable } from '../../shared/arguments.js';
import { remember } from '../app/remember.js';

export type EditCheck = { ok: true; changed: boolean } | { ok: false; reason: string };

/**
 * Looks at an edit before it may be kept: it must read as strict JSON, and every value keeps its type (C20). The tool's
 * name is no part of it and cannot change (C18).
 */
export const checkDraftEdit = remember((proposed: string, edited: string): EditCheck => {
  if (edited === proposed) return { ok: true, changed: false };
  const checked = checkEdit(proposed, edited);
  return checked.ok ? { ok: true, changed: true } : { ok: false, reason: checked.refusal.text };
});

/** What would be sent for the proposed text as it is: the base of an edit, and of its difference. */
export function sentText(proposed: string): string {
  const sent = sendable(proposed);
  return sent.ok ? sent.text : proposed;
}
