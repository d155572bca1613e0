import type { ApplicationRejection } from '../../application/kernel/application-error.js';
import type { Rows } from './row.js';

export const APPLICATION_REJECTIONS: Rows<ApplicationRejection> = {
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'The idempotency key was used for another request',
    detail: () => 'Expected the request that first used this Idempotency-Key, but got a different one',
  },
  ERASURE_NOT_POSSIBLE: {
    status: 409,
    title: 'The store cannot forget',
    detail: ({ because }) =>
      `Expected a store that can erase parts of events, but they are in ${because}, which never changes what it has, and WAYBILL_SUBJECT_KEY_FILE names no keys to encrypt them with: nothing was erased`,
  },
  ERASURE_FORBIDDEN: {
    status: 409,
    title: 'A legal hold forbids the erasure',
    detail: ({ hold, by, reason }) =>
      `Expected tasks that no legal hold covers, but '${hold}', which '${by}' placed${reason === null ? '' : ` (${reason})`}, does: nothing was erased`,
  },
  HOLDER_FULL: {
    status: 429,
    title: 'Enough tasks run for the API key',
    detail: ({ holder, most, running }) =>
      `Expected at most ${most} tasks to run for the API key '${holder}', but ${running} do`,
  },
  CHANGED_SINCE_PREVIEW: {
    status: 409,
    title: 'The task has changed since the preview',
    detail: ({ position }) =>
      `Expected the task as it was previewed, but it has changed since, at position ${position}`,
  },
  CHANGED_SINCE_OPERATION: {
    status: 409,
    title: 'The task has changed since the operation',
    detail: ({ event, position }) =>
      `Expected the task as the operation left it, but it has changed since, by ${event} at position ${position}`,
  },
  OPERATION_UNDER_WAY: {
    status: 409,
    title: 'The operation is under way',
    detail: ({ state }) =>
      `Expected an operation that has ended, but it is ${state}. Wait for its end, or cancel its task first.`,
  },
  OPERATION_NOT_UNDOABLE: {
    status: 409,
    title: 'The operation cannot be undone',
    detail: ({ kind }) =>
      `Expected an operation whose command changes tasks, but '${kind}' makes new ones. Abort or delete those instead.`,
  },
  TRANSACTION_TOO_LARGE: {
    status: 413,
    title: 'The transaction is too large',
    detail: ({ bytes, limit }) =>
      `Expected the events of a transaction to have at most ${limit} bytes, the limit of the event store, but they have ${bytes}`,
  },
  EVENT_TOO_LARGE: {
    status: 413,
    title: 'The event is too large',
    detail: ({ bytes, limit }) =>
      `Expected the events of a command to have at most ${limit} bytes, the limit of the event store, but they have ${bytes}`,
  },
  PAYLOAD_STORE_UNAVAILABLE: {
    status: 503,
    title: 'The payload store is unavailable',
    detail: () =>
      'Expected the payload store to answer, because the queue keeps large payloads there, but it did not: try again later, the log of the service says why',
  },
  CONTENTION: {
    status: 503,
    title: 'Too many changes at once',
    detail: () => 'Expected the task and its queue not to change meanwhile, but they changed too often: try again',
  },
  STORE_UNAVAILABLE: {
    status: 503,
    title: 'The store is unavailable',
    detail: () => 'Expected the store to answer, but it did not',
  },
  COMMAND_FAILED: {
    status: 500,
    title: 'The command failed',
    detail: () => 'Expected no error, but an unexpected one occurred in this command: nothing was recorded for it',
  },
  TOO_MANY_WAITING: {
    status: 429,
    title: 'Too many requests wait',
    detail: ({ waiting, holder }) =>
      `Expected fewer requests${holder === undefined ? '' : ` of ${holder}`} to wait for tasks in this process, but ${waiting} do: try again, or wait in fewer requests for more tasks`,
  },
  STREAM_UNREADABLE: {
    status: 409,
    title: 'The history cannot be read',
    detail: ({ stream, reason }) => `Expected to read the events of '${stream}', but this build cannot: ${reason}`,
  },
  CLAIM_ID_REUSED: {
    status: 422,
    title: 'The claim id was used for another claim',
    detail: () => 'Expected the claim that first used this claim id, but the queue, the worker or the API key differs',
  },
  NO_TASK_MATCHES: {
    status: 422,
    title: 'No task matches',
    detail: () => 'Expected tasks that match, but there are none: nothing was changed',
  },
};
