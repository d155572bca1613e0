import type { Cell } from './cell.js';
import { clockSteps } from './clock-steps.js';
import { backendKills, poolExhaustion, restarts } from './database.js';
import { frozen } from './frozen.js';
import { fullDisk } from './full-disk.js';
import { crashRecovery, repeatedKills } from './kills.js';
import { lostAnswers } from './lost-answers.js';
import { activeReaders, burst, highLoad, idleInTransaction } from './pressure.js';

/** By name, in the order of the table. */
export const CELLS: Readonly<Record<string, () => Cell | Promise<Cell>>> = {
  'crash recovery': () => crashRecovery,
  restarts: () => restarts,
  'repeated kills': () => repeatedKills,
  'backend kills': () => backendKills,
  'pool exhaustion': () => poolExhaustion,
  'idle in transaction': () => idleInTransaction,
  'high load': () => highLoad,
  burst: () => burst,
  'active readers': () => activeReaders,
  'lost answers to COMMIT': lostAnswers,
  'frozen processes': frozen,
  'clock steps': clockSteps,
  'full disk': fullDisk,
};
