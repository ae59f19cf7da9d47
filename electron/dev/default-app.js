// @ts-nocheck -- app.setVersion and app.setAppPath are missing in Electron's published types
// What `electron <folder>` starts in the registry runtime, which comes without one. A module with a top-level await,
// because Electron holds `ready` back until its entry is evaluated, and the application's entry is a module too.
import { readFileSync } from 'node:fs';
import { Module } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron/main';

const preload = [];
let folder;
for (let rest = process.argv.slice(1); rest.length > 0 && folder === undefined; rest = rest.slice(1)) {
  const [argument, value] = rest;
  if (argument === '--version' || argument === '-v') {
    console.log(`v${process.versions.electron}`);
    process.exit(0);
  }
  if (argument === '--require' || argument === '-r') {
    preload.push(value);
    rest = rest.slice(1);
  } else if (!argument.startsWith('-')) folder = resolve(argument);
}
if (folder === undefined) {
  console.error('usage: electron [-r module] <application folder>');
  process.exit(1);
}

// Playwright hands its loader over with -r.
Module._preloadModules(preload);
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true });
app.name = manifest.productName ?? manifest.name;
app.setVersion(manifest.version);
app.setDesktopName(manifest.desktopName);
app.setAppPath(folder);
await import(pathToFileURL(join(folder, manifest.main)).href);
