import type { CommandBus } from '@nestjs/cqrs';
import { OperateBatch } from '../application/batches/operate-batch.handler.js';
import type { Erasures } from '../application/erasures/erasures.port.js';
import { RecordErased } from '../application/erasures/record-erased.handler.js';
import { Refused } from '../application/kernel/application-error.js';
import type { CommandContext } from '../application/kernel/command-context.js';
import { OperateTasks } from '../application/tasks/operate-tasks.handler.js';
import type { ErasureItems, ErasureWork } from './erasure-run.js';

/** What an erasure asks of the service. */
export const erasureWork = (commands: CommandBus, erasures: Erasures): ErasureWork => ({
  erasures,
  abort: ({ kind, ids }, order, context) =>
    kind === 'task' ? abortTasks(ids, order, context, commands) : abortBatches(ids, context, commands),
  record: async ({ kind, ids }: ErasureItems, order, context) => {
    const refusals = await commands.execute(new RecordErased(kind, ids, order, context));
    return new Map(ids.map((id, at) => [id, refusals[at]?.code ?? null]));
  },
});

async function abortTasks(tasks: readonly string[], order: string, context: CommandContext, commands: CommandBus) {
  const operation = { type: 'AbortTask', reason: context.reason ?? null } as const;
  const many = { tasks, operation, origin: `op:${order}:abort`, isRepeated: true, isOfferedAnyway: true } as const;
  await commands.execute(new OperateTasks(many, context));
}

/** One that refuses it is not erased, which the next try to record it says. */
async function abortBatches(batches: readonly string[], context: CommandContext, commands: CommandBus) {
  for (const batch of batches)
    await commands.execute(new OperateBatch(batch, { type: 'AbortBatch' }, context)).catch(unlessRefused);
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof Refused)) throw error;
}
