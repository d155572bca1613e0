import type { LogSegment } from '../../application/kernel/log-segment.js';
import type { EventFiring, Match } from '../../application/triggers/event-firing.js';
import type { EventTriggers } from '../../application/triggers/event-triggers.js';
import { EVENT_TRIGGERS } from '../../application/reactions/reactions.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import { moveCheckpoint, PoisonEvent, type Checkpoint } from '../projection-engine/checkpoint.js';
import type { Consumer } from '../projection-engine/consumer.js';

/**
 * Makes the tasks of triggers that wait for events. The checkpoint moves after the tasks are made, so a crash repeats a
 * part, which finds them there. With no such trigger, it reads no event but those of triggers.
 */
export class EventTriggerConsumer implements Consumer {
  readonly name = EVENT_TRIGGERS;
  /** Nothing fires again. A later version continues where this one stopped. */
  readonly version = 1;

  constructor(
    private readonly triggers: EventTriggers,
    private readonly firing: EventFiring,
    private readonly pool: PostgresPool,
  ) {}

  async consume(segments: readonly LogSegment[], from: Checkpoint): Promise<Checkpoint> {
    await this.triggers.at(from.position);
    const last = segments.at(-1)!.position;
    try {
      await this.firing.fire(this.matchesIn(segments));
      const moved = await moveCheckpoint(this.pool, from, last);
      this.triggers.reached(last);
      return moved;
    } catch (error) {
      this.triggers.forget();
      throw error;
    }
  }

  restAfter(): number {
    return 20;
  }

  async upgrade(): Promise<void> {}

  private matchesIn(segments: readonly LogSegment[]): readonly Match[] {
    try {
      return this.triggers.matchesIn(segments);
    } catch (error) {
      throw new PoisonEvent(this.name, segments[0]!.positionAt(0), error);
    }
  }
}
