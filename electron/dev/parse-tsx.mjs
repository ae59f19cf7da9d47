// @ts-check
// Loaded before dependency-cruiser, whose swc parser does not know that .tsx files contain JSX. Its other TypeScript
// parser needs the compiler's JavaScript interface, which TypeScript 7 no longer has.
import { createRequire } from 'node:module';

const swc = createRequire(import.meta.url)('@swc/core');
const parse = swc.parseFileSync;
swc.parseFileSync = (/** @type {string} */ file, /** @type {object} */ options) =>
  parse(file, { ...options, tsx: file.endsWith('.tsx') });
