import { z } from 'zod';
import { checkEdit, sendable } from '../../shared/arguments.js';
import type { CallView } from '../../shared/ipc.js';
import { remember } from '../app/remember.js';

/** What an edit may be: an object for a tool, or any JSON value. */
export type Edits = 'object' | 'any_value';

export const editsOf = ({ edits }: Pick<CallView, 'edits'>): Edits => edits ?? 'object';

/** `changes`: what would change its type, to be confirmed or undone. */
export type EditCheck = { ok: true; changed: boolean } | { ok: false; reason: string; changes: readonly string[] };

/** Confirmed changes of type as one text, to be remembered by. */
export const confirmedText = (changes: readonly string[]): string => JSON.stringify(changes);

/**
 * Looks at an edit before it may be kept: it must read as strict JSON, and every value keeps its type, but for what
 * was confirmed (C20). The tool's
 * name is no part of it and cannot change (C18).
 */
export const checkDraftEdit = remember(
  (proposed: string, edited: string, edits: Edits, confirmed: string): EditCheck => {
    if (edited === proposed) return { ok: true, changed: false };
    const typesConfirmed = Texts.parse(JSON.parse(confirmed));
    const checked = checkEdit(proposed, edited, { anyValue: edits === 'any_value', typesConfirmed });
    if (checked.ok) return { ok: true, changed: true };
    const changes = Texts.safeParse(checked.refusal.facts['changes']).data ?? [];
    return { ok: false, reason: checked.refusal.text, changes };
  },
);

const Texts = z.array(z.string());

/** What would be sent for the proposed text as it is: the base of an edit, and of its difference. */
export function sentText(proposed: string, edits: Edits): string {
  if (edits === 'any_value') return proposed;
  const sent = sendable(proposed);
  return sent.ok ? sent.text : proposed;
}
