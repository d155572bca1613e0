import type { Cell } from './cell.js';
import { clockSteps } from './clock-steps.js';
import { backendKills, failedFlushes, poolExhaustion, restarts } from './database.js';
import { failovers } from './failover.js';
import { frozen } from './frozen.js';
import { fullDisk } from './full-disk.js';
import { crashRecovery, repeatedKills } from './kills.js';
import { lostAnswers } from './lost-answers.js';
import { halfOpen, partition } from './network.js';
import { activeReaders, burst, highLoad, idleInTransaction } from './pressure.js';
import { restores } from './restores.js';

/** By name, in the order of the table. */
export const CELLS: Readonly<Record<string, () => Cell | Promise<Cell>>> = {
  'crash recovery': () => crashRecovery,
  restarts: () => restarts,
  failovers,
  restores,
  'failed flushes': () => failedFlushes,
  'repeated kills': () => repeatedKills,
  'backend kills': () => backendKills,
  'pool exhaustion': () => poolExhaustion,
  'idle in transaction': () => idleInTransaction,
  'high load': () => highLoad,
  burst: () => burst,
  'active readers': () => activeReaders,
  'lost answers to COMMIT': lostAnswers,
  partition,
  'half-open connections': halfOpen,
  'frozen processes': frozen,
  'clock steps': clockSteps,
  'full disk': fullDisk,
};
