import { BrowserWindow, dialog, type OpenDialogOptions } from 'electron';

/** Asks for existing files in the system's own dialog, over the window; [] when the person cancelled. */
export async function chooseFiles(
  title: string,
  more: NonNullable<OpenDialogOptions['properties']> = [],
): Promise<string[]> {
  const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
  const options: OpenDialogOptions = { title, properties: ['openFile', ...more] };
  const chosen = window ? await dialog.showOpenDialog(window, options) : await dialog.showOpenDialog(options);
  return chosen.filePaths;
}
