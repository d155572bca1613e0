import type { Command } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../../application/kernel/command-context.js';
import { OperateQueue, type QueueOperation } from '../../application/queues/operate-queue.handler.js';
import { OperateTask, type TaskOperation } from '../../application/tasks/operate-task.handler.js';
import type { Verdict } from '../../application/claims/settle-tasks.handler.js';
import type { Step } from '../../application/transactions/run-transaction.handler.js';
import type { Call } from './call.js';

// The steps that methods return for operations that may be part of a transaction. A step is performed alone or with
// others.

type StepOf<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>;

/** A command on the call's task. */
export const onTask = (call: Call, operation: TaskOperation): StepOf<'operate'> => ({
  kind: 'operate',
  on: { task: call.on },
  command: (context) => new OperateTask(call.on, operation, withReason(call, context)),
});

/** A command on the call's queue. */
export const onQueue = (call: Call, operation: QueueOperation): StepOf<'operate'> =>
  commandOnQueue(call, (context) => new OperateQueue(call.on, operation, context));

export const commandOnQueue = (
  call: Call,
  command: (context: CommandContext) => Command<Receipt>,
): StepOf<'operate'> => ({
  kind: 'operate',
  on: { queue: call.on },
  command: (context) => command(withReason(call, context)),
});

/** A worker's report on how its attempt ended. */
export const settlement = (
  { on, body: { token, ...facts } }: Call<{ readonly token: string }>,
  type: Verdict['type'],
): StepOf<'settle'> => ({ kind: 'settle', item: { taskId: on, token, verdict: { ...facts, type } as Verdict } });

/** Every command may carry a reason, which is recorded with all events that follow from it. */
export function withReason({ body, query }: Call, context: CommandContext): CommandContext {
  const { reason } = (body ?? query ?? {}) as { readonly reason?: string };
  return reason === undefined ? context : { ...context, reason };
}
