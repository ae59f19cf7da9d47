import { app, dialog, Menu, type MenuItemConstructorOptions } from 'electron';

interface MenuPlan {
  mac: boolean;
  packaged: boolean;
  /** Asks for files and takes them in. */
  open(): void;
  /** Shows the window and begins it there. */
  backUp(): void;
  bringIn(): void;
}

/** The menu bar. No reload: it would throw a half-written reason away; development tools only where there is no package. */
export function menuTemplate({ mac, packaged, open, backUp, bringIn }: MenuPlan): MenuItemConstructorOptions[] {
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const roles = (...names: NonNullable<MenuItemConstructorOptions['role']>[]) => names.map((role) => ({ role }));
  const file = [
    { label: 'Open…', accelerator: 'CmdOrCtrl+O', click: open },
    separator,
    { label: 'Back up…', click: backUp },
    { label: 'Bring in a backup…', click: bringIn },
    separator,
    ...roles(mac ? 'close' : 'quit'),
  ];
  const edit = [...roles('undo', 'redo'), separator, ...roles('cut', 'copy', 'paste', 'selectAll')];
  const view = [...roles('resetZoom', 'zoomIn', 'zoomOut'), separator, ...roles('togglefullscreen')];
  return [
    ...(mac ? roles('appMenu') : []),
    { label: '&File', submenu: file },
    { label: '&Edit', submenu: edit },
    { label: '&View', submenu: packaged ? view : [...view, separator, ...roles('toggleDevTools')] },
    ...(mac ? roles('windowMenu') : []),
  ];
}

/** Sets the application's menu; `openFiles` gets the absolute paths that were chosen. */
export function showMenu(
  openFiles: (paths: readonly string[]) => void,
  acts: Pick<MenuPlan, 'backUp' | 'bringIn'>,
): void {
  const open = (): void => {
    void dialog
      .showOpenDialog({ title: 'Open records', properties: ['openFile', 'multiSelections'] })
      .then(({ filePaths }) => openFiles(filePaths));
  };
  const template = menuTemplate({ mac: process.platform === 'darwin', packaged: app.isPackaged, open, ...acts });
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
