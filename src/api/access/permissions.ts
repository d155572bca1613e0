import { ApiError } from '../api-error.js';
import type { ApiKey, Permission } from './api-keys.js';

const OPERATIONS: Readonly<Record<Permission, readonly string[]>> = {
  read: [
    'listQueues',
    'getQueue',
    'getPolicy',
    'getQueueStats',
    'listQueueStats',
    'listFailedTasks',
    'listTasks',
    'getTask',
    'getTaskExplanation',
    'getTaskHistory',
    'readEvents',
    'followEvents',
    'listWorkers',
    'listProjections',
  ],
  metrics: ['readMetrics'],
  enqueue: ['enqueueTask', 'enqueueTasks', 'submitTask'],
  work: [
    'claimTasks',
    'extendLease',
    'extendLeases',
    'succeedTask',
    'failTask',
    'completeStep',
    'reportError',
    'returnTask',
    'confirmCancel',
    'settleTasks',
  ],
  operate: [
    'defineQueue',
    'changePolicy',
    'deleteQueue',
    'pauseQueue',
    'resumeQueue',
    'closeIntake',
    'openIntake',
    'finishQueue',
    'reopenQueue',
    'deleteTask',
    'holdTask',
    'releaseTask',
    'retryTask',
    'decideTask',
    'cancelTask',
    'abortTask',
    'prioritiseTask',
    'rescheduleTask',
    'amendTask',
    'overruleTask',
  ],
};

const NEEDED = new Map(
  Object.entries(OPERATIONS).flatMap(([permission, operations]) =>
    operations.map((operation) => [operation, permission as Permission] as const),
  ),
);

/** What its commands need is checked one by one. */
const TRANSACTION: readonly Permission[] = ['enqueue', 'work', 'operate'];

/** Any of them will do. Throws for an operation that nobody gave a thought: a new one must not be open by accident. */
export function permissionsFor(operation: string): readonly Permission[] {
  if (operation === 'runTransaction') return TRANSACTION;
  const needed = NEEDED.get(operation);
  if (needed) return [needed];
  throw new Error(`Expected a permission for the operation '${operation}', but there is none`);
}

/** Throws `FORBIDDEN` where the key's holder may not ask for that. `data`: further members of the problem. */
export function assertMay({ name, may }: ApiKey, needed: readonly Permission[], data: object = {}): void {
  if (needed.some((one) => may.includes(one))) return;
  const detail = `Expected an API key with the permission '${needed.join("' or '")}', but that of '${name}' has '${may.join("', '")}'`;
  throw new ApiError('FORBIDDEN', detail, {}, data);
}
