import type { EventStore, RecordedEvent } from '../../application/kernel/event-store.port.js';
import { type LogSegment, positionsOf } from '../../application/kernel/log-segment.js';
import type { Reaction } from '../../application/reactions/reaction.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import type { Checkpoint } from '../projection-engine/checkpoint.js';
import type { Consumer } from '../projection-engine/consumer.js';
import { eventCodec } from '../event-codec/event-codec.js';
import { concernsAll } from './concerns-all.js';
import { type DueLine, EventsPutAside, NOT_DELIVERED, type OwedEvent } from './events-put-aside.js';
import type { Retrying } from './retries.js';
import { restAfter } from '../projection-engine/rest-after.js';

/** Events that are reacted to at the same time, so that their commands share statements. */
const AT_ONCE = 100;

/**
 * Passes a reaction every event that concerns it at least once. The checkpoint moves after the batch, so a crash
 * repeats part of it. An event that the reaction fails on is put aside and tried again, because reactions tolerate any
 * order.
 */
export class ReactionConsumer implements Consumer, Retrying {
  readonly name: string;
  readonly restAfter = restAfter;
  /** Reactions are not rebuilt. A later version continues where this one stopped. */
  readonly version = 1;
  private readonly aside: EventsPutAside;

  constructor(
    private readonly reaction: Reaction,
    pool: PostgresPool,
    private readonly store: Pick<EventStore, 'readAt'>,
  ) {
    this.name = reaction.name;
    this.aside = new EventsPutAside(pool, reaction.name);
  }

  /** Commits once for all events that do not concern the reaction, however many there are. */
  async consume(segments: readonly LogSegment[], from: Checkpoint): Promise<Checkpoint> {
    const owed: OwedEvent[] = [];
    const concerned = segments.flatMap((segment) => this.concernedIn(segment, owed));
    for (let at = 0; at < concerned.length; at += AT_ONCE) {
      const some = concerned.slice(at, at + AT_ONCE);
      const errors = await Promise.all(some.map((recorded) => this.errorOf(recorded)));
      owed.push(...some.flatMap((one, n) => (errors[n] === null ? [] : owedAt(one, errors[n]))));
    }
    if (owed.length > 0) await this.aside.assertRoom();
    return this.aside.pass(segments, owed, from);
  }

  async upgrade(): Promise<void> {}

  async retry(): Promise<number> {
    const due = await this.aside.due((position) => this.owedOf(position));
    const done = await Promise.all(due.map((line) => this.retryOne(line)));
    return done.filter(Boolean).length;
  }

  /** An event that the log did not deliver, if it concerns the reaction. */
  private async owedOf(position: bigint): Promise<readonly OwedEvent[]> {
    const recorded = await this.store.readAt(position);
    const { event } = recorded;
    const isConcerned = this.reaction.types.includes(event.type) && this.reaction.concerns(event);
    return isConcerned ? owedAt(recorded, NOT_DELIVERED) : [];
  }

  private async retryOne(line: DueLine): Promise<boolean> {
    const error = await this.store.readAt(line.positions[0]!).then((recorded) => this.errorOf(recorded), unlessAll);
    await this.aside.tried(line, error === null ? 1 : 0, error);
    return error === null;
  }

  /** A segment with an event that cannot be read, or that a later build wrote, is put aside as a whole. What can be read of it is retried by itself. */
  private concernedIn(segment: LogSegment, owed: OwedEvent[]): readonly RecordedEvent[] {
    if (!this.reaction.types.includes(segment.type)) return [];
    try {
      eventCodec.assertKnown(segment);
      return segment.events().filter(({ event }) => this.reaction.concerns(event));
    } catch (error) {
      owed.push(
        ...positionsOf(segment).flatMap((position) => owedAt({ position, recordedAt: segment.recordedAt }, error)),
      );
      return [];
    }
  }

  /** Null if there is none. Rejects if the error concerns all events. */
  private errorOf(recorded: RecordedEvent): Promise<unknown> {
    return this.react(recorded).then(() => null, unlessAll);
  }

  /** The data of a later version may mean something else. */
  private async react(recorded: RecordedEvent): Promise<void> {
    eventCodec.assertKnown(recorded.event);
    await this.reaction.react(recorded);
  }
}

/** Each event is a line of its own. */
const owedAt = (
  { position, recordedAt }: Pick<RecordedEvent, 'position' | 'recordedAt'>,
  error: unknown,
): readonly OwedEvent[] => [{ line: String(position), position, recordedAt, error }];

function unlessAll(error: unknown): unknown {
  if (concernsAll(error)) throw error;
  return error;
}
