import { categoryOf, type Category, idOfStream } from '../../domain/aggregates.js';
import { EVENTS, type EventType } from '../../domain/events.js';
import { ERASURES_QUEUE } from '../../domain/kernel/erasures-queue.js';
import { isReserved } from '../../domain/queue/reserved.policy.js';
import { OPERATIONS_QUEUE } from '../bulk-operations/bulk-operation.js';
import type { ShownEvent } from '../kernel/event-store.port.js';
import { QUEUE_DELETIONS } from '../queue-deletions/queue-deletion.js';

/** A command that somebody gave, as its event says. */
export interface Activity {
  readonly position: bigint;
  readonly at: string;
  readonly by: string;
  readonly agent?: string;
  readonly reason: string | null;
  readonly category: Category;
  readonly type: EventType;
  /** The id or the name of what it is about. */
  readonly subject: string;
  readonly queue: string | null;
  readonly correlationId: string;
  /** The version of the queue's policy that it was decided by. */
  readonly policyVersion?: number;
  /** How many neighbouring events of this type the same request or operation caused, the one that is shown among them. */
  readonly count: number;
}

/** The events of commands, as opposed to those of work. What workers and clocks cause under these types is told apart by `activityOf`. */
export const COMMAND_EVENTS: readonly EventType[] = (Object.keys(EVENTS) as EventType[]).filter(
  (type) => EVENTS[type].command !== undefined,
);

/** The queues whose tasks are commands that somebody gave for many tasks. */
export const ORDER_QUEUES: readonly string[] = [OPERATIONS_QUEUE, QUEUE_DELETIONS.name, ERASURES_QUEUE];

/** The service itself. With API keys, the actors of requests begin with the names of keys. */
const SERVICE = /^(sweeper|steward|service|holds|unknown|reservation-cleaner|reaction:.*|trigger:.*)$/;

interface Data {
  readonly queue?: string;
  readonly by?: string;
  readonly decidedBy?: string;
  readonly token?: string;
  readonly heldBy?: { readonly by: string; readonly hold?: string };
}

/** What somebody did, or null if the event follows from the work, from the clock or from another command. */
export function activityOf({ event, envelope, stream, position, recordedAt }: ShownEvent): Activity | null {
  const data = event.data as Data;
  const { actor: by, agent, reason = null, correlationId, policyVersion } = envelope;
  if (SERVICE.test(by) || !isCommand(event.type as EventType, data, by)) return null;
  const [queue, category] = [data.queue ?? null, categoryOf(stream) as Category];
  // The service defines its own queues in the name of whoever needs one first. What people do to the tasks in them is theirs.
  if (queue !== null && isReserved(queue) && category === 'queue') return null;
  return {
    position,
    at: recordedAt,
    by,
    ...(agent !== undefined && { agent }),
    reason,
    category,
    type: event.type as EventType,
    subject: idOfStream(stream),
    queue,
    correlationId,
    ...(policyVersion !== undefined && { policyVersion }),
    count: 1,
  };
}

/** Under somebody else's name, the event says who gave the command that it follows from. */
function isCommand(type: EventType, { by, decidedBy, token, heldBy }: Data, actor: string): boolean {
  if (type === 'TaskDataRecorded') return token === undefined;
  if (type === 'TaskFailed') return decidedBy === actor;
  if (type === 'TaskHeld') return heldBy?.hold === undefined && heldBy?.by === actor;
  return by === undefined || by === actor;
}

/** Shows neighbours of one type that one request or operation caused as one, the first of them, in whichever order they are. */
export function grouped(items: readonly Activity[]): readonly Activity[] {
  const groups: Activity[] = [];
  for (const one of items) {
    const last = groups.at(-1);
    if (last && last.correlationId === one.correlationId && last.type === one.type)
      groups[groups.length - 1] = { ...(one.position < last.position ? one : last), count: last.count + 1 };
    else groups.push(one);
  }
  return groups;
}
