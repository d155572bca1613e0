import { holderDecider } from '../../../domain/holder/holder.decider.js';
import type { HeldTask, HolderEvent } from '../../../domain/holder/holder.events.js';
import { holderStream } from '../../../domain/holder/holder.stream.js';
import type { TaskClaimed } from '../../../domain/task/task.events.js';
import { taskStream } from '../../../domain/task/task.stream.js';
import type { EventStoreDbLog } from '../eventstoredb-log.js';
import type { FindHolder } from '../../dispatch-index/claim-gate.js';

/** The holder as the log has it, which may be ahead of everything in the database. */
export const holderInLog =
  (log: EventStoreDbLog): FindHolder =>
  async (queue) => {
    const last = await log.readLast(holderStream(queue));
    if (!last) return null;
    const event = last.event as HolderEvent;
    const state = holderDecider.evolve(holderDecider.initialState, event);
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
