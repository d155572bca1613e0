import { consumerDecider } from '../../../domain/queue-consumer/consumer.decider.js';
import type { HeldTask, ConsumerEvent } from '../../../domain/queue-consumer/consumer.events.js';
import { consumerStream } from '../../../domain/queue-consumer/consumer.stream.js';
import type { TaskClaimed } from '../../../domain/task/task.events.js';
import { taskStream } from '../../../domain/task/task.stream.js';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import type { FindConsumer } from '../../dispatch-index/counted-claims.js';

/** Reads the consumer from the log, which may be ahead of every table in the database. */
export const consumerInLog =
  (log: EventStoreDbLog): FindConsumer =>
  async (queue) => {
    const last = await log.readLast(consumerStream(queue));
    if (!last) return null;
    const event = last.event as ConsumerEvent;
    const state = consumerDecider.evolve(consumerDecider.initialState, event);
    const reset = state.status === 'held' ? state.reset : null;
    return { revision: last.revision, event, resetClaimed: reset !== null && (await claimedAnew(log, reset)) };
  };

async function claimedAnew(log: EventStoreDbLog, { taskId, token }: HeldTask): Promise<boolean> {
  const [history] = await log.readStreams([taskStream(taskId)]);
  return history!.some(
    ({ event }) => event.type === 'TaskClaimed' && isLater((event as TaskClaimed).data.token, token),
  );
}

const isLater = (token: string, than: string): boolean => BigInt(token) > BigInt(than);
