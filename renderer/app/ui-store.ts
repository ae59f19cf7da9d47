import { create } from 'zustand';
import type { CallView } from '../../shared/ipc.js';

export type Page = 'queue' | 'history' | 'insight' | 'settings';
export const DIFF_MODES = ['unified', 'side_by_side', 'whole'] as const;
export type DiffMode = (typeof DIFF_MODES)[number];
export type SideTab = 'conversation' | 'raw' | 'history';

/** The call that a rule is made from. */
export interface RuleFrom {
  itemId: string;
  call: CallView;
  /** Its whole argument text. */
  text: string;
}

interface UiState {
  page: Page;
  /** What the right pane shows, and whether it is open where the window is too narrow to show it always. */
  side: SideTab;
  sideOpen: boolean;
  help: boolean;
  /** The command palette is open. */
  palette: boolean;
  /** The call that a rule is being made from. */
  rule: RuleFrom | null;
  filters: boolean;
  /** In a narrow window, list or card. */
  pane: 'list' | 'card';
  /** How a difference is shown. */
  diffMode: DiffMode;
  /** Messages of the conversation are drawn as Markdown, or shown as they are written. */
  formatted: boolean;
  goTo(page: Page): void;
  /** Shows a tab of the right pane; the same one again closes the drawer. */
  toggleSide(tab: SideTab): void;
}

export const useUi = create<UiState>()((set, get) => ({
  page: 'queue',
  side: 'conversation',
  sideOpen: false,
  help: false,
  palette: false,
  rule: null,
  filters: false,
  pane: 'list',
  diffMode: 'unified',
  formatted: true,
  goTo: (page) => set({ page, filters: false }),
  toggleSide(tab) {
    const { side, sideOpen } = get();
    const again = side === tab && sideOpen;
    set({ side: again ? 'conversation' : tab, sideOpen: !again });
  },
}));

export function nextDiffMode(mode: DiffMode): DiffMode {
  return DIFF_MODES[(DIFF_MODES.indexOf(mode) + 1) % DIFF_MODES.length] ?? 'unified';
}
