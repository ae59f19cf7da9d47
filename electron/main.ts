import { join } from 'node:path';
import { app } from 'electron';
import { registerSchemes } from './app-protocol.js';
import { commandIn, ownArguments, runCommandLine } from './command-line.js';
import { configFolder } from './data-folder.js';
import { runWindow } from './shell/run-window.js';

/**
 * Decides what this process is: one command, the one window of this user, or a second start that hands over and ends.
 * Nothing is created before that is settled.
 */
// Beside the data folder's default, so that all of Holdpoint lies in one place, whatever the case of its name.
app.setPath('userData', process.env['HOLDPOINT_USER_DATA'] || join(configFolder(), 'window'));

const args = ownArguments(process.argv, Boolean(process.defaultApp));
const command = commandIn(args);

if (command) {
  // Electron is not ready before this module is, so no display is needed to get here.
  const code = await runCommandLine(command);
  app.exit(code);
} else if (app.requestSingleInstanceLock({ args })) {
  registerSchemes();
  // Electron as root runs only with --no-sandbox; asking for both makes it start its helpers over and over.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  runWindow({ dist: join(import.meta.dirname, '..'), args });
} else {
  app.exit(0);
}
