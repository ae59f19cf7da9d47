import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import { ICON_SIDE, trayPixels } from './tray-icon.js';

export interface TrayPlan {
  open(): void;
  quit(): void;
  /** Minutes without notifications from now; 0 ends it. */
  doNotDisturb(minutes: number): void;
  isDisturbed(): boolean;
}

export const trayTip = (count: number): string =>
  count === 0 ? 'Holdpoint: nothing waits for you' : `Holdpoint: ${count} wait${count === 1 ? 's' : ''} for you`;

export function trayMenu(count: number, plan: TrayPlan): MenuItemConstructorOptions[] {
  return [
    { label: trayTip(count), enabled: false },
    { label: 'Open Holdpoint', click: plan.open },
    { type: 'separator' },
    plan.isDisturbed()
      ? { label: 'Notify me again', click: () => plan.doNotDisturb(0) }
      : { label: 'Do not disturb for an hour', click: () => plan.doNotDisturb(60) },
    { type: 'separator' },
    { label: 'Quit', click: plan.quit },
  ];
}

const icon = (waiting: boolean) =>
  nativeImage.createFromBitmap(trayPixels(waiting), { width: ICON_SIDE, height: ICON_SIDE, scaleFactor: 2 });

/** The icon in the system's tray: a count and a way back to the window. Nothing can be decided from it. */
export function openTray(plan: TrayPlan): { show(count: number): void; close(): void } {
  const tray = new Tray(icon(false));
  tray.on('click', plan.open);
  return {
    show(count) {
      tray.setImage(icon(count > 0));
      tray.setToolTip(trayTip(count));
      tray.setContextMenu(Menu.buildFromTemplate(trayMenu(count, plan)));
    },
    close: () => tray.destroy(),
  };
}
