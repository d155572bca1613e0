import type { EventStore, RecordedEvent } from '../../application/kernel/event-store.port.js';
import type { LogSegment } from '../../application/kernel/log-segment.js';
import { EVENT_TRIGGERS } from '../../application/reactions/reactions.js';
import type { EventFiring, Match, Unfired } from '../../application/triggers/event-firing.js';
import type { EventTriggers, Found } from '../../application/triggers/event-triggers.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import { PoisonEvent, type Checkpoint } from '../projection-engine/checkpoint.js';
import type { Consumer } from '../projection-engine/consumer.js';
import { concernsAll } from './concerns-all.js';
import { type DueLine, EventsPutAside, type Owed } from './events-put-aside.js';
import type { Retrying } from './retries.js';

/**
 * Makes the tasks of triggers that wait for events. The checkpoint moves after the tasks are made, so a crash repeats a
 * part, which finds them there. With no such trigger, it reads no event but those of triggers. The events of a trigger that
 * fails are put aside from the failed one on, in their order, while those of the others go on.
 */
export class EventTriggerConsumer implements Consumer, Retrying {
  readonly name = EVENT_TRIGGERS;
  /** Nothing fires again. A later version continues where this one stopped. */
  readonly version = 1;
  private readonly aside: EventsPutAside;

  constructor(
    private readonly triggers: EventTriggers,
    private readonly firing: EventFiring,
    pool: PostgresPool,
    private readonly store: Pick<EventStore, 'readAt'>,
  ) {
    this.aside = new EventsPutAside(pool, EVENT_TRIGGERS);
  }

  async consume(segments: readonly LogSegment[], from: Checkpoint): Promise<Checkpoint> {
    await this.triggers.at(from.position);
    const last = segments.at(-1)!.position;
    try {
      const moved = await this.aside.pass(await this.fireOrOwe(this.found(segments)), from, last);
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

  async retry(): Promise<number> {
    const read = await Promise.all((await this.aside.due()).map((line) => this.read(line)));
    const matches = await this.triggers.matchesNow(read.flatMap(({ events }) => events));
    const unfired = unlessAll(await this.firing.fire(matches));
    let done = 0;
    for (const { line, events, error } of read) {
      const failed = unfired.find(({ rest }) => rest[0]!.trigger === line.line);
      const count = failed ? line.positions.indexOf(failed.rest[0]!.recorded.position) : events.length;
      await this.aside.tried(line, count, failed ? failed.error : error);
      done += count;
    }
    return done;
  }

  /** The events of the line up to the first that cannot be read. */
  private async read(line: DueLine): Promise<Read> {
    const events: { trigger: string; recorded: RecordedEvent }[] = [];
    try {
      for (const position of line.positions)
        events.push({ trigger: line.line, recorded: await this.store.readAt(position) });
      return { line, events };
    } catch (error) {
      if (concernsAll(error)) throw error;
      return { line, events, error };
    }
  }

  private found(segments: readonly LogSegment[]): Found {
    try {
      return this.triggers.found(segments);
    } catch (error) {
      throw new PoisonEvent(this.name, segments[0]!.positionAt(0), error);
    }
  }

  /** Returns what is owed: what failed, and what comes behind it or behind what was put aside before. */
  private async fireOrOwe({ matches, unread }: Found): Promise<readonly Owed[]> {
    if (matches.length + unread.length === 0) return [];
    const unreadable = unread.map(({ trigger: line, position, error }) => ({ line, position, error }));
    const behind = new Set([...(await this.aside.lines()), ...unreadable.map(({ line }) => line)]);
    const unfired = unlessAll(await this.firing.fire(matches.filter(({ trigger }) => !behind.has(trigger))));
    const waiting = matches.filter(({ trigger }) => behind.has(trigger)).map((match) => owedOf(match));
    return [...unreadable, ...waiting, ...unfired.flatMap(owedOfLine)];
  }
}

interface Read {
  readonly line: DueLine;
  readonly events: readonly { readonly trigger: string; readonly recorded: RecordedEvent }[];
  readonly error?: unknown;
}

const owedOf = ({ trigger: line, recorded: { position } }: Match, error?: unknown): Owed => ({ line, position, error });

const owedOfLine = ({ rest, error }: Unfired): readonly Owed[] =>
  rest.map((match, at) => owedOf(match, at === 0 ? error : undefined));

/** Throws if one of the errors concerns all events. */
function unlessAll(unfired: readonly Unfired[]): readonly Unfired[] {
  const all = unfired.find(({ error }) => concernsAll(error));
  if (all) throw all.error;
  return unfired;
}
