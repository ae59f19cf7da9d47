// @ts-check
import { spawn } from 'node:child_process';
import { hasDisplay } from './libraries.mjs';

/**
 * Where there is no display, starts an Xvfb of our own on a free number and sets DISPLAY.
 * @returns {Promise<() => void>} ends it; also done when this process exits
 */
export async function display() {
  if (hasDisplay()) return () => undefined;
  const xvfb = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-noreset', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true, // a Ctrl-C reaches the applications on it first
  });
  const number = await new Promise((resolve, reject) => {
    xvfb.once('error', reject);
    xvfb.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    xvfb.stdio[3]?.once('data', (/** @type {Buffer} */ data) => resolve(String(data).trim()));
  });
  process.env['DISPLAY'] = `:${number}`;
  xvfb.removeAllListeners('exit');
  xvfb.unref();
  const stop = () => {
    xvfb.kill();
    delete process.env['DISPLAY'];
  };
  process.once('exit', () => xvfb.kill());
  return stop;
}
