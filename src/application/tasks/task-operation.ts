import type { OperatorCommandType, TaskCommand, TaskCommandOf } from '../../domain/task/task.commands.js';
import type { IsoTime } from '../../domain/kernel/json.js';
import type { TaskState } from '../../domain/task/task.state.js';
import type { CommandContext } from '../kernel/command-context.js';
import type { AppendConditions, IdempotencyKey } from '../kernel/event-store.port.js';
import type { BatchDirectory } from '../kernel/batch-directory.js';
import type { QueueDirectory } from '../kernel/queue-directory.js';
import { TaskStreamCommand } from './task-stream-command.js';

/**
 * What the handler adds to the request: the time, the actor, and facts from the policy or about another task of the
 * key.
 */
type HandlerFields = 'now' | 'by' | 'heldBy' | 'onRunning' | 'conflictingTaskId' | 'policy';

type OperatorInput<T extends OperatorCommandType> = T extends unknown ? Omit<TaskCommandOf<T>, HandlerFields> : never;

/** A person's or a service's command on a task. */
export type TaskOperation = OperatorInput<OperatorCommandType>;

interface OperationContext {
  readonly now: IsoTime;
  readonly context: CommandContext;
  readonly queues: QueueDirectory;
  readonly batches: BatchDirectory;
  readonly idempotencyKey: IdempotencyKey | undefined;
  readonly isOfferedAnyway?: true;
  readonly asPreviewed?: bigint | undefined;
}

/** The command on one task, with the facts that its type declares. */
export const operationOn = (
  taskId: string,
  operation: TaskOperation,
  { now, context, queues, batches, idempotencyKey, isOfferedAnyway, asPreviewed }: OperationContext,
): TaskStreamCommand =>
  new TaskStreamCommand({
    taskId,
    load: 'whole',
    command: (conflictingTaskId, policy) =>
      completed(operation, {
        now,
        by: context.actor,
        heldBy: null,
        conflictingTaskId,
        onRunning: policy.onCancel,
        policy,
      }),
    conditions: (state) => ({ idempotencyKey, ...(operation.type === 'ReleaseTask' && releasing(state)) }),
    queues,
    ...(operation.type === 'RetryTask' && { batches }),
    unit: context.unit,
    ...(!isOfferedAnyway && { mustBeOffered: true }),
    asPreviewed,
    failOnKeyConflict: operation.type === 'OverruleTask',
  });

/** A task that a hold caught takes two keys: the hold must be gone, too. */
const releasing = (state: TaskState): AppendConditions =>
  state.status === 'held' && state.heldBy.hold !== undefined ? { notHeld: state.task.submission.labels } : {};

const completed = (operation: TaskOperation, added: Readonly<Record<HandlerFields, unknown>>): TaskCommand =>
  ({ ...operation, ...added }) as unknown as TaskCommand;
