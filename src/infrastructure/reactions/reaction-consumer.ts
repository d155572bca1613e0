import { EventStoreUnavailable, StreamContentionError } from '../../application/kernel/application-error.js';
import type { RecordedEvent } from '../../application/kernel/event-store.port.js';
import type { Reaction } from '../../application/reactions/reaction.js';
import { isConnectionError } from '../persistence/connection-errors.js';
import type { PostgresPool } from '../persistence/postgres-pool.js';
import { moveCheckpoint, PoisonEvent, type Checkpoint } from '../projection-engine/checkpoint.js';
import type { Consumer } from '../projection-engine/consumer.js';

/** Enough that their commands share statements. */
const AT_ONCE = 100;

/** Lets a reaction see every event at least once: the checkpoint moves after the batch, so a crash repeats some of it. */
export class ReactionConsumer implements Consumer {
  readonly name: string;
  /** Reactions are not rebuilt: a later version goes on where this one stood. */
  readonly version = 1;

  constructor(
    private readonly reaction: Reaction,
    private readonly pool: PostgresPool,
  ) {
    this.name = reaction.name;
  }

  async consume(events: readonly RecordedEvent[], from: Checkpoint): Promise<Checkpoint> {
    let checkpoint = from;
    for (let at = 0; at < events.length; at += AT_ONCE) {
      checkpoint = await this.consumeTogether(events.slice(at, at + AT_ONCE), checkpoint);
    }
    return checkpoint;
  }

  async upgrade(): Promise<void> {}

  /** What was done before the first trouble is not done again because of it. */
  private async consumeTogether(events: readonly RecordedEvent[], from: Checkpoint): Promise<Checkpoint> {
    const outcomes = await Promise.allSettled(events.map((recorded) => this.react(recorded)));
    const trouble = outcomes.findIndex(({ status }) => status === 'rejected');
    const done = events.at(trouble === -1 ? -1 : trouble - 1)!.position;
    const checkpoint = trouble === 0 ? from : await moveCheckpoint(this.pool, from, done);
    if (trouble !== -1) throw (outcomes[trouble] as PromiseRejectedResult).reason;
    return checkpoint;
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
  error instanceof StreamContentionError || error instanceof EventStoreUnavailable || isConnectionError(error);
