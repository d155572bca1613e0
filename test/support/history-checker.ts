import { violationsIn } from '../../src/check/log-check.js';
import { acknowledgedViolations } from './history/acknowledged.js';
import { answerViolations } from './history/answers.js';
import { attemptedViolations } from './history/attempted.js';
import { claimViolations } from './history/claims.js';
import { deliveryViolations } from './history/deliveries.js';
import { gatheredViolations } from './history/gathered.js';
import { type History, Log, type Violation } from './history/history.js';
import { erasedViolations } from './history/erased.js';
import { idempotencyViolations } from './history/idempotency.js';
import { pastViolations } from './history/past.js';
import { checkpointViolations, readModelViolations } from './history/read-models.js';
import { sealViolations } from './history/seals.js';

export type * from './history/history.js';
export { INVARIANTS } from './history/history.js';

/**
 * The promises that a run broke, according to its clients' answers and what is stored. Reads each of them once. The run
 * must be over: every task at its end is expected to have ended.
 *
 * - I1: an acknowledged task is in the log, and ends exactly once. A gathered submission is in one task, once.
 * - I2: nothing appears that nobody attempted.
 * - I3: no two claims of one task are open at once, and its tokens only grow.
 * - I4: a settlement under an ended claim changes nothing; an acknowledged one is recorded exactly once.
 * - I5: no two tasks of one key run or wait at once, and no two have the same reference, as their queue's policy says.
 * - I6: no more tasks run than their queue's limits allow. A queue gives out nothing unless it is active, and a serial
 *   one only to its consumer; it accepts nothing while its intake is closed, and does not end with open tasks.
 * - I7: revisions have no gaps, positions only grow, and the decider would decide every history as it was recorded.
 * - I8: the read models equal the fold of the log up to their checkpoints.
 * - I9: no checkpoint is past the log's head.
 * - I10: all requests under one idempotency key get the same answer.
 * - I11: every occurrence of a trigger, and every event that it waits for, makes one task, or is recorded as skipped or
 *   given up.
 * - I12: nothing in the log says what an erased payload was.
 * - I13: no task is claimed before its prerequisites are done, and none waits for itself. A task is aborted at most once,
 *   and whenever something that it waits for is aborted and not ignored.
 * - I14: no task is claimed before its batch is opened. A batch ends with its tasks, counts them as the log does at that
 *   position, and takes them with it if it is aborted or deleted. A failed task is copied once at most, and superseded once its
 *   copy has succeeded.
 * - I15: claims take higher priorities first, then the first in line. No task overtakes a failed one that blocks its key.
 * - I16: what a command answered is in the log, and a query as of its position shows nothing older.
 * - I17: what a trigger claims for a job is in this job, or returns to its queue; a job has items, and no item is in two
 *   jobs at once.
 * - I18: an attempt of a delivery calls its receiver at most once, each time with the same message, and a delivery that
 *   succeeded was received.
 * - I19: a task with steps begins with the first, goes through them in order, and continues where it stopped. A copy begins
 *   where its original stopped, with its data.
 * - I20: no task is given out that is held, or that a hold in force catches.
 * - I21: no task is given out at a step that is short of a resource.
 * - I22: no task is given out after its time to live. What follows a time limit is recorded neither before it nor long after
 *   it, and a missed deadline once, of an open task.
 * - I23: what is shown as of a position is the fold of the log up to it, and as of a time nothing that was recorded later.
 * - I24: nothing that was erased is left in the log or in the rows of its tasks.
 * - I25: what a seal covers is what is stored.
 *
 * I3 to I7, and I13 to I15, I17, and I19 to I22, hold at every position of the log, and not only at the end of a commit.
 */
export function violationsOf(history: History): readonly Violation[] {
  const log = new Log(history.events);
  return [
    ...violationsIn(history.events, {
      isWhole: true,
      isOver: true,
      claimsTakeTurns: history.claimsTakeTurns,
    }),
    ...acknowledgedViolations(history, log),
    ...gatheredViolations(history, log),
    ...attemptedViolations(history, log),
    ...claimViolations(history, log),
    ...readModelViolations(history, log),
    ...checkpointViolations(history),
    ...idempotencyViolations(history, log),
    ...erasedViolations(history, log),
    ...answerViolations(history, log),
    ...deliveryViolations(history, log),
    ...pastViolations(history, log),
    ...sealViolations(history),
  ];
}
