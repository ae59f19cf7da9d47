import { create } from 'zustand';

export type Page = 'queue' | 'history' | 'insight' | 'settings';
export type SideTab = 'conversation' | 'raw' | 'history';

interface UiState {
  page: Page;
  /** What the right pane shows, and whether it is open where the window is too narrow to show it always. */
  side: SideTab;
  sideOpen: boolean;
  help: boolean;
  /** The command palette is open. */
  palette: boolean;
  filters: boolean;
  /** In a narrow window, list or card. */
  pane: 'list' | 'card';
  showDiff: boolean;
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
  filters: false,
  pane: 'list',
  showDiff: true,
  goTo: (page) => set({ page, filters: false }),
  toggleSide(tab) {
    const { side, sideOpen } = get();
    const again = side === tab && sideOpen;
    set({ side: again ? 'conversation' : tab, sideOpen: !again });
  },
}));
