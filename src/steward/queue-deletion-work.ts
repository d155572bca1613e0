import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Refused } from '../application/kernel/application-error.js';
import type { EventReads } from '../application/kernel/event-store.port.js';
import type { WakeUps } from '../application/kernel/wake-ups.port.js';
import { OperateQueue } from '../application/queues/operate-queue.handler.js';
import { queueStream } from '../domain/queue/queue.stream.js';
import {
  CountRunningTasks,
  ListRemainingTasks,
  ListRunningTasks,
} from '../projections/queue-deletions/queue-deletions.queries.js';
import type { PassWork } from './bulk-pass.js';
import type { QueueDeletionWork } from './queue-deletion-run.js';
import { watchEnds } from './watch-ends.js';

interface Service {
  readonly commands: CommandBus;
  readonly queries: QueryBus;
  readonly events: EventReads;
  readonly wakeUps: WakeUps;
}

/** What the deletion of a queue asks of the service. */
export const queueDeletionWork = ({
  commands,
  queries,
  events,
  wakeUps,
}: Service): Omit<QueueDeletionWork, keyof PassWork> => ({
  isDeleted: async (queue, since) => {
    const [history] = await events.readStreams([queueStream(queue)]);
    return history!.some(({ event, recordedAt }) => event.type === 'QueueDeleted' && recordedAt > since);
  },
  tell: (queue, operation, context) =>
    commands.execute(new OperateQueue(queue, operation, context)).then(() => null, refusalIn),
  remaining: (queue, before, limit) => queries.execute(new ListRemainingTasks(queue, before, limit)),
  countRunning: (queue) => queries.execute(new CountRunningTasks(queue)),
  running: (queue) => queries.execute(new ListRunningTasks(queue)),
  watch: (queue, isOver, signal) => watchEnds(wakeUps, { queue }, isOver, signal),
});

function refusalIn(error: unknown): string {
  if (error instanceof Refused) return error.rejection.code;
  throw error;
}
