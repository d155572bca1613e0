import type { HolderEvent } from '../../../domain/holder/holder.events.js';
import { holderStream } from '../../../domain/holder/holder.stream.js';
import { taskStream } from '../../../domain/task/task.stream.js';
import type { EventStoreDbLog } from '../../event-store/eventstoredb/eventstoredb-log.js';
import type { FindHolder } from '../claim-gate.js';

/** The holder as the log has it, which may be ahead of everything in the database. */
export const holderInLog =
  (log: EventStoreDbLog): FindHolder =>
  async (queue) => {
    const last = await log.readLast(holderStream(queue));
    if (!last) return null;
    const event = last.event as HolderEvent;
    const reset = 'from' in event.data ? event.data.from.taskId : null;
    return { revision: last.revision, event, resetClaimed: await claimedSince(log, reset, last.position) };
  };

async function claimedSince(log: EventStoreDbLog, taskId: string | null, since: bigint): Promise<boolean> {
  if (taskId === null) return false;
  const [history] = await log.readStreams([taskStream(taskId)]);
  return history!.some(({ event, position }) => event.type === 'TaskClaimed' && position > since);
}
