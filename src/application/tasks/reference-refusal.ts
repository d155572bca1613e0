import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { Refusal } from '../kernel/event-store.port.js';

/** What to tell the caller when another task has the reference. */
export const referenceInUse = (
  reference: string,
  { taskId: conflictingTaskId, uniqueReference }: Extract<Refusal, { readonly constraint: 'reference' }>,
): TaskRejection => ({ code: 'REFERENCE_IN_USE', reference, conflictingTaskId, uniqueReference });
