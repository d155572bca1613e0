import { ERASURES_QUEUE } from '../kernel/erasures-queue.js';
import { mayBeOne } from '../kernel/principal.js';
import type { TaskCommandOf } from './task.commands.js';
import type { HeldTask, TaskFacts } from './task.state.js';

/** An order of an erasure that is held goes on once somebody else who may erase releases it. */
export const lacksApproval = ({ approver }: TaskCommandOf<'ReleaseTask'>, { task, heldBy }: HeldTask): boolean =>
  isOrder(task) && (approver === undefined || mayBeOne(approver, heldBy.by));

/** The release of an order has the name that counts for its approval. */
export const releasedBy = ({ by, approver = by }: TaskCommandOf<'ReleaseTask'>, { task }: HeldTask): string =>
  isOrder(task) ? approver : by;

const isOrder = ({ submission }: TaskFacts): boolean => submission.queue === ERASURES_QUEUE;
