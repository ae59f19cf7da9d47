import type { CheckpointFormat } from './format.js';
import { klieo } from './klieo.js';

/** Every system that Holdpoint reads. The first that knows a record reads it. */
export const FORMATS: readonly CheckpointFormat[] = [klieo];
