import { fold } from '../../domain/kernel/decider.js';
import { queueDecider } from '../../domain/queue/queue.decider.js';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import type { KnownQueue, Pause, QueueFacts } from '../../domain/queue/queue.state.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import type { Receipt } from '../kernel/command-context.js';
import type { EventStore } from '../kernel/event-store.port.js';

export interface StandingQueue extends QueueFacts {
  readonly state: KnownQueue['status'];
  /** Null unless it is paused. */
  readonly pause: Pause | null;
}

export interface QueueAsOf {
  readonly queue: StandingQueue;
  /** The newest event that carries the queue's policy. */
  readonly definedBy: 'QueueDefined' | 'QueuePolicyChanged';
}

/** A queue as of the revision at which a command on it was answered, however long ago. */
export async function queueAsOf(
  { id, revision }: Pick<Receipt, 'id' | 'revision'>,
  store: Pick<EventStore, 'readStreams'>,
): Promise<QueueAsOf> {
  const [recorded] = await store.readStreams([queueStream(id)]);
  const events = recorded!.slice(0, revision + 1).map(({ event }) => event as QueueEvent);
  const state = fold(queueDecider, events);
  if (!('queue' in state)) throw new Error(`Expected queue '${id}' to stand at revision ${revision}, but it is gone`);
  const pause = state.status === 'paused' ? state.pause : null;
  return { queue: { ...state.queue, state: state.status, pause }, definedBy: definedBy(events) };
}

const definedBy = (events: readonly QueueEvent[]): QueueAsOf['definedBy'] =>
  events.findLast(({ type }) => type === 'QueuePolicyChanged' || type === 'QueueDefined')!
    .type as QueueAsOf['definedBy'];
