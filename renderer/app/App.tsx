import { lazy, Suspense, useEffect } from 'react';
import { UndoBar } from '../decision/UndoBar.js';
import { History } from '../history/History.js';
import { Queue } from '../queue/Queue.js';
import { RuleDialog } from '../rules/RuleDialog.js';
import { onCopy } from '../run/copy-selection.js';
import { RunView } from '../run/RunView.js';
import { SidePane } from '../run/SidePane.js';
import { SettingsPage } from '../settings/SettingsPage.js';
import { useSettings } from '../settings/settings-store.js';
import { text as words } from '../text.js';
import { Announcer } from './Announcer.js';
import { DropZone } from './DropZone.js';
import { Empty } from './Empty.js';
import { HelpOverlay } from './HelpOverlay.js';
import { Nav } from './Nav.js';
import { Palette } from './Palette.js';
import { StatusBar } from './StatusBar.js';
import { Toasts } from './Toasts.js';
import { TopBar } from './TopBar.js';
import { useUi } from './ui-store.js';
import { useKeys } from './use-keys.js';
import { useLiveData } from './use-live-data.js';
import { useTheme } from './use-theme.js';

/** Its plots are loaded when they are asked for. */
const InsightPage = lazy(async () => ({ default: (await import('../insight/InsightPage.js')).InsightPage }));

/** The frame: what is always there, and the page in it. */
export function App() {
  useLiveData();
  useKeys();
  useTheme();
  const { page, pane, help, palette, rule } = useUi();
  const isEmpty = useSettings((s) => s.health?.empty ?? false);
  useEffect(() => {
    document.addEventListener('copy', onCopy);
    return () => document.removeEventListener('copy', onCopy);
  }, []);
  return (
    <>
      <div className="frame" data-page={page} data-pane={pane} inert={help || palette || rule !== null}>
        <TopBar />
        <Nav />
        {page === 'queue' && (isEmpty ? <Empty /> : <QueuePage />)}
        {page === 'history' && <History />}
        {page === 'insight' && (
          <Suspense fallback={<main className="page">{words.loading}</main>}>
            <InsightPage />
          </Suspense>
        )}
        {page === 'settings' && <SettingsPage />}
        <UndoBar />
        <StatusBar />
      </div>
      <DropZone />
      <Toasts />
      <Announcer />
      {help && <HelpOverlay />}
      {palette && <Palette />}
      {rule && <RuleDialog {...rule} />}
    </>
  );
}

function QueuePage() {
  return (
    <>
      <Queue />
      <RunView />
      <SidePane />
    </>
  );
}
