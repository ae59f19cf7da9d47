// @ts-check
import { bin, root, run } from './command.mjs';
import { say } from './say.mjs';

/**
 * Packs what is in dist/ with electron-builder, as electron-builder.yml says.
 * @param {readonly string[]} args e.g. `--linux dir`; `-c.directories.output=FOLDER`
 * @param {{ quiet?: boolean }} [options] sends its output to stderr
 */
export async function pack(args, options = {}) {
  const runtime = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const env = { ...process.env };
  if (runtime) {
    say('the registry runtime goes into this package: for this machine only, never to be published');
    // Where Electron cannot be downloaded, fpm cannot either.
    env['CUSTOM_FPM_PATH'] ??= `${root}/electron/dev/fpm.mjs`;
  }
  const given = runtime ? [`-c.electronDist=${runtime}`] : [];
  await run(bin('electron-builder'), ['--publish', 'never', ...args, ...given], { ...options, env });
}
