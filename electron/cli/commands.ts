import { awaitCommand } from './await.js';
import { backupCommand } from './backup.js';
import { checkpointCommand } from './checkpoint.js';
import type { Command } from './command.js';
import { completeCommand } from './complete.js';
import { decisionCommand } from './decision.js';
import { doctorCommand } from './doctor.js';
import { gcCommand } from './gc.js';
import { historyCommand } from './history.js';
import { importCommand } from './import.js';
import { inspectCommand } from './inspect.js';
import { keyCommand } from './key.js';
import { listCommand } from './list.js';
import { reportCommand } from './report.js';
import { showCommand } from './show.js';
import { startCommand } from './start.js';
import { suspendCommand } from './suspend.js';
import { verifyCommand } from './verify-decision.js';
import { withdrawCommand } from './withdraw.js';

/** Every command, in the order of `help`. None of them approves: a person does that in the window (H11). */
export const COMMANDS: readonly Command[] = [
  inspectCommand,
  suspendCommand,
  checkpointCommand,
  listCommand,
  showCommand,
  awaitCommand,
  startCommand,
  reportCommand,
  completeCommand,
  withdrawCommand,
  gcCommand,
  historyCommand,
  decisionCommand,
  verifyCommand,
  keyCommand,
  doctorCommand,
  backupCommand,
  importCommand,
];
