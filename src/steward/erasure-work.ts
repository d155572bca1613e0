import type { CommandBus } from '@nestjs/cqrs';
import { EraseTasks } from '../application/erasures/erase-tasks.handler.js';
import type { Erasures } from '../application/erasures/erasures.port.js';
import { OperateTasks } from '../application/tasks/operate-tasks.handler.js';
import type { ErasureWork } from './erasure-run.js';

/** What an erasure asks of the service. */
export const erasureWork = (commands: CommandBus, erasures: Erasures): ErasureWork => ({
  erasures,
  abort: async (tasks, order, context) => {
    const operation = { type: 'AbortTask', reason: context.reason ?? null } as const;
    const many = { tasks, operation, origin: `op:${order}:abort`, isRepeated: true, isOfferedAnyway: true } as const;
    await commands.execute(new OperateTasks(many, context));
  },
  record: async (tasks, order, context) => {
    const refusals = await commands.execute(new EraseTasks(tasks, order, context));
    return new Map(tasks.map((task, at) => [task, refusals[at]?.code ?? null]));
  },
});
