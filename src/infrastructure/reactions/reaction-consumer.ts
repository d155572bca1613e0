import { EventStoreUnavailable, StreamContentionError } from '../../application/kernel/application-error.js';
import { isConnectionError } from '../../application/kernel/connection-errors.js';
import type { RecordedEvent } from '../../application/kernel/event-store.port.js';
import type { LogSegment } from '../../application/kernel/log-segment.js';
import type { Reaction } from '../../application/reactions/reaction.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import { isMissingObject } from '../database/refused-data.js';
import { moveCheckpoint, PoisonEvent, type Checkpoint } from '../projection-engine/checkpoint.js';
import type { Consumer } from '../projection-engine/consumer.js';

/** Events that are reacted to at the same time, so that their commands share statements. */
const AT_ONCE = 100;

interface Trouble {
  readonly position: bigint;
  readonly reason: unknown;
}

/**
 * Passes a reaction every event that concerns it at least once. The checkpoint moves after the batch, so a crash
 * repeats part of it.
 */
export class ReactionConsumer implements Consumer {
  readonly name: string;
  /** Reactions are not rebuilt. A later version continues where this one stopped. */
  readonly version = 1;

  constructor(
    private readonly reaction: Reaction,
    private readonly pool: PostgresPool,
  ) {
    this.name = reaction.name;
  }

  /** Commits once for all events that do not concern the reaction, however many there are. */
  async consume(segments: readonly LogSegment[], from: Checkpoint): Promise<Checkpoint> {
    const concerned = segments.flatMap((segment) => this.concernedIn(segment));
    for (let at = 0; at < concerned.length; at += AT_ONCE) {
      const trouble = await this.reactTogether(concerned.slice(at, at + AT_ONCE));
      if (trouble) return this.stopBefore(trouble, segments, from);
    }
    return moveCheckpoint(this.pool, from, segments.at(-1)!.position);
  }

  private concernedIn(segment: LogSegment): readonly RecordedEvent[] {
    if (!this.reaction.types.includes(segment.type)) return [];
    try {
      return segment.events().filter(({ event }) => this.reaction.concerns(event));
    } catch (error) {
      throw new PoisonEvent(this.name, segment.positionAt(0), error);
    }
  }

  restAfter(): number {
    return 20;
  }

  async upgrade(): Promise<void> {}

  /** The first event that the reaction failed on, and why; null if there was none. */
  private async reactTogether(events: readonly RecordedEvent[]): Promise<Trouble | null> {
    const outcomes = await Promise.allSettled(events.map((recorded) => this.react(recorded)));
    const first = outcomes.findIndex(({ status }) => status === 'rejected');
    if (first === -1) return null;
    return { position: events[first]!.position, reason: (outcomes[first] as PromiseRejectedResult).reason };
  }

  /** Moves the checkpoint to the last event before the trouble, so that what was done is not repeated. */
  private async stopBefore(
    { position, reason }: Trouble,
    segments: readonly LogSegment[],
    from: Checkpoint,
  ): Promise<never> {
    const done = segments.findLast((segment) => segment.positionAt(0) < position);
    if (done) await moveCheckpoint(this.pool, from, done.positionAt(done.countUpTo(position - 1n) - 1));
    throw reason;
  }

  private async react(recorded: RecordedEvent): Promise<void> {
    try {
      await this.reaction.react(recorded);
    } catch (error) {
      throw isPassing(error) ? error : new PoisonEvent(this.name, recorded.position, error);
    }
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof StreamContentionError ||
  error instanceof EventStoreUnavailable ||
  isConnectionError(error) ||
  isMissingObject(error);
