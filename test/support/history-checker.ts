import { acknowledgedViolations } from './history/acknowledged.js';
import { attemptedViolations } from './history/attempted.js';
import { batchViolations } from './history/batches.js';
import { claimViolations } from './history/claims.js';
import { type History, Log, type Violation } from './history/history.js';
import { prerequisiteViolations } from './history/prerequisites.js';
import { checkpointViolations, readModelViolations } from './history/read-models.js';
import { ruleViolations } from './history/rules.js';
import { streamViolations } from './history/streams.js';

export type * from './history/history.js';

/**
 * The promises that a run broke, according to its clients' answers and what is stored. Reads each of them once. The run
 * must be over: every task at its end is expected to have ended.
 *
 * - I1: an acknowledged task is in the log, and ends exactly once.
 * - I2: nothing appears that nobody attempted.
 * - I3: no two claims of one task are open at once, and its tokens only grow.
 * - I4: a settlement under an ended claim changes nothing; an acknowledged one is recorded exactly once.
 * - I5: no two tasks of one key run or wait at once, and no two have the same reference, as their queue's policy says.
 * - I6: no more tasks run than their queue's limits allow. A queue gives out nothing unless it is active, and a serial
 *   one only to its consumer; it accepts nothing while its intake is closed, and does not end with open tasks.
 * - I7: revisions have no gaps, positions only grow, and the decider would decide every history as it was recorded.
 * - I8: the read models equal the fold of the log up to their checkpoints.
 * - I9: no checkpoint is past the log's head.
 * - I10: no task is claimed before its prerequisites are done, and none waits for itself. A task is aborted at most once,
 *   and whenever something that it waits for is aborted and not ignored.
 * - I11: no task is claimed before its batch is opened. A batch ends with its tasks, counts them as the log does at that
 *   position, and takes them with it if it is aborted or deleted.
 *
 * I3 to I7, I10 and I11 hold at every position of the log, and not only at the end of a commit.
 */
export function violationsOf(history: History): readonly Violation[] {
  const log = new Log(history.events);
  return [
    ...acknowledgedViolations(history, log),
    ...attemptedViolations(history, log),
    ...claimViolations(history, log),
    ...ruleViolations(log),
    ...streamViolations(log),
    ...prerequisiteViolations(log),
    ...batchViolations(log),
    ...readModelViolations(history, log),
    ...checkpointViolations(history),
  ];
}
