import type { BatchRejection } from '../../domain/batch/batch.rejections.js';
import { oneOf, type Rows } from './row.js';

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
      `Expected a batch that allows '${command}', but it is ${state}, which allows ${oneOf(allowed)}`,
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
