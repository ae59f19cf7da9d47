import { cyrene } from './cyrene.js';
import type { CheckpointFormat } from './format.js';
import { klieo } from './klieo.js';
import { runifold } from './runifold.js';
import { starweaver } from './starweaver.js';

/** Every system that Holdpoint reads. The first that knows a record reads it. */
export const FORMATS: readonly CheckpointFormat[] = [klieo, starweaver, runifold, cyrene];
