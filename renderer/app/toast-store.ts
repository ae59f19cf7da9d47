import { create } from 'zustand';
import type { Refusal } from '../../shared/refusal.js';

export interface Toast {
  id: number;
  tone: 'ok' | 'refused';
  text: string;
}

interface ToastState {
  toasts: readonly Toast[];
  dismiss(id: number): void;
  dismissAll(): void;
}

/** How long good news stays; a refusal stays until it is dismissed. */
const SHOWN_MS = 6_000;
const MOST = 3;
let next = 1;

export const useToasts = create<ToastState>()((set) => ({
  toasts: [],
  dismiss: (id) => set((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) })),
  dismissAll: () => set({ toasts: [] }),
}));

export function note(text: string, tone: Toast['tone'] = 'ok'): void {
  const id = next++;
  useToasts.setState((state) => ({ toasts: [...state.toasts, { id, tone, text }].slice(-MOST) }));
  if (tone === 'ok') setTimeout(() => useToasts.getState().dismiss(id), SHOWN_MS);
}

/** Says a refusal in its own words. */
export function noteRefusal(refusal: Refusal): void {
  note(refusal.text, 'refused');
}
