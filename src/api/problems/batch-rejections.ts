import type { BatchRejection } from '../../domain/batch/batch.rejections.js';
import { oneOf, type Rows } from './row.js';
import { verbOf, verbsOf } from './verbs.js';

export const BATCH_REJECTIONS: Rows<BatchRejection> = {
  BATCH_NOT_FOUND: {
    status: 404,
    title: 'No such batch',
    detail: ({ batch }) => `Expected the batch to exist, but none has the id '${batch}'`,
  },
  BATCH_EXISTS: {
    status: 409,
    title: 'Another batch or a task has this id',
    detail: () => 'Expected a new id or an identical batch, but a batch with different content, or a task, has this id',
  },
  BATCH_ILLEGAL_TRANSITION: {
    status: 409,
    title: "The batch's state does not allow this",
    detail: ({ command, state, allowed }) =>
      `Expected a batch that allows '${verbOf(command)}', but it is ${state}, which allows ${oneOf(verbsOf(allowed))}`,
  },
  BATCH_COMMAND_NOT_OFFERED: {
    status: 409,
    title: 'The batch does not offer this command',
    detail: ({ command, state, offered }) =>
      `Expected a command that the batch offers when it is ${state} (${oneOf(verbsOf(offered))}), but got '${verbOf(command)}'`,
  },
  RE_RUNS_REPORTED_OTHERWISE: {
    status: 409,
    title: 'The batch reports runs of failed tasks in another way',
    detail: ({ reRunReporting }) =>
      `Expected a batch that reports runs of failed tasks so, but its policy reports them by '${reRunReporting}'`,
  },
  RE_RUN_REPORTING_FIXED: {
    status: 409,
    title: 'The queue determines how runs of failed tasks are reported',
    detail: ({ queue, reRunReporting }) =>
      `Expected no other way than '${reRunReporting}', but queue '${queue}' does not let creators of batches choose one`,
  },
  BATCH_ERASED: {
    status: 409,
    title: 'What the batch was about is erased',
    detail: () => 'Expected a batch whose contents are there, but they were erased: it can only be deleted',
  },
  BATCH_NOT_ENDED: {
    status: 409,
    title: 'The batch has not ended',
    detail: ({ state }) => `Expected a batch that has ended, but it is ${state}`,
  },
  BATCH_RUNS_AGAIN: {
    status: 409,
    title: 'Another batch runs the failed tasks again',
    detail: ({ rerun }) => `Expected a batch that is not run again, but batch '${rerun}' does: look at that one`,
  },
  RERUN_IN_BATCH: {
    status: 409,
    title: 'The task can only be run again in a batch of its own',
    detail: ({ batch }) =>
      `Expected a task that may be retried, but its batch '${batch}' has ended and runs failed tasks again as a batch`,
  },
  BATCH_WITHOUT_PLANNER: {
    status: 409,
    title: 'No task plans the batch',
    detail: ({ batch }) => `Expected a task to plan batch '${batch}', but whoever created it adds its tasks`,
  },
  BATCH_INCOMPLETE: {
    status: 409,
    title: 'The batch has another number of tasks',
    detail: ({ expected, actual }) => `Expected the batch to have ${expected} tasks, but it has ${actual}`,
  },
  BATCH_ENDED: {
    status: 409,
    title: 'The batch takes no more tasks',
    detail: ({ batch, state }) => `Expected batch '${batch}' to be planning or running, but it is ${state}`,
  },
  BATCH_AWAITED: {
    status: 409,
    title: 'A task outside the batch waits for it',
    detail: ({ awaitedBy }) =>
      `Expected a batch that no unfinished task outside it waits for, but '${awaitedBy}' does: waive that prerequisite`,
  },
};
