import type { EventStore } from '../../application/kernel/event-store.port.js';
import { triggerStream } from '../../domain/trigger/trigger.stream.js';
import type { LogSegment } from '../../application/kernel/log-segment.js';
import { EVENT_TRIGGERS } from '../../application/triggers/trigger-states.port.js';
import type { EventFiring, Match, Unfired } from '../../application/triggers/event-firing.js';
import {
  type EventTriggers,
  type Found,
  type MatchNow,
  pastOrdersOf,
} from '../../application/triggers/event-triggers.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import type { Checkpoint } from '../projection-engine/checkpoint.js';
import type { Consumer } from '../projection-engine/consumer.js';
import { concernsAll } from './concerns-all.js';
import { type DueLine, EventsPutAside, NOT_DELIVERED, type OwedEvent } from './events-put-aside.js';
import type { Retrying } from './retries.js';
import { restAfter } from '../projection-engine/rest-after.js';

/**
 * Makes the tasks of triggers that wait for events. The checkpoint moves after the tasks are made, so a crash repeats a
 * part, which finds them there. With no such trigger, it reads no event but those of triggers. The events of a trigger that
 * fails are put aside from the failed one on, in their order, while those of the others go on.
 */
export class EventTriggerConsumer implements Consumer, Retrying {
  readonly name = EVENT_TRIGGERS;
  readonly restAfter = restAfter;
  /** Nothing fires again. A later version continues where this one stopped. */
  readonly version = 1;
  private readonly aside: EventsPutAside;

  constructor(
    private readonly triggers: EventTriggers,
    private readonly firing: EventFiring,
    pool: PostgresPool,
    private readonly store: Pick<EventStore, 'readAt' | 'readStreams'>,
  ) {
    this.aside = new EventsPutAside(pool, EVENT_TRIGGERS);
  }

  async consume(segments: readonly LogSegment[], from: Checkpoint): Promise<Checkpoint> {
    await this.triggers.at(from.position);
    const last = segments.at(-1)!.position;
    try {
      const found = await this.triggers.found(segments);
      await this.firing.orderPast(found.begun);
      const owed = await this.fireOrOwe(found);
      const over = found.ended.map(({ trigger: line, position: before }) => ({ line, before }));
      const moved = await this.aside.pass(segments, owed, from, over);
      this.triggers.reached(last);
      await this.shorten(new Set(owed.map(({ line }) => line)));
      return moved;
    } catch (error) {
      this.triggers.forget();
      throw error;
    }
  }

  async upgrade(): Promise<void> {}

  async retry(): Promise<number> {
    const due = await this.aside.due((position) => this.owedOf(position));
    if (due.length === 0) return 0;
    const matchNow = await this.triggers.now();
    const read = await Promise.all(due.map((line) => this.read(line, matchNow)));
    const unfired = unlessAll(await this.firing.fire(read.flatMap(({ matches }) => matches)));
    let done = 0;
    for (const { line, whole, error } of read) {
      const failed = unfired.find(({ rest }) => rest[0]!.trigger === line.line);
      const count = failed ? line.positions.indexOf(failed.rest[0]!.recorded.position) : whole;
      await this.aside.tried(line, count, failed ? failed.error : error);
      done += count;
    }
    return done;
  }

  /** What an event matches that the log did not deliver. */
  private async owedOf(position: bigint): Promise<readonly OwedEvent[]> {
    const recorded = await this.store.readAt(position);
    await this.firing.orderPast(pastOrdersOf(recorded));
    const matches = await this.triggers.late(recorded, async (name) => {
      const [history] = await this.store.readStreams([triggerStream(name)]);
      return history!;
    });
    return matches.map((match) => ({ ...owedOf(match, NOT_DELIVERED), late: true }));
  }

  /** What the events of the line match, up to the first that cannot be read. */
  private async read(line: DueLine, matchNow: MatchNow): Promise<Read> {
    const matches: Match[] = [];
    let whole = 0;
    try {
      for (const position of line.positions) {
        const recorded = await this.store.readAt(position);
        const known = { isOwed: line.matched.has(position), isLate: line.late.has(position) };
        matches.push(...matchNow(line.line, recorded, known));
        whole++;
      }
      return { line, matches, whole };
    } catch (error) {
      if (concernsAll(error)) throw error;
      return { line, matches, whole, error };
    }
  }

  /** A trigger that fails for good gives up the oldest of too many events, and says so. */
  private async shorten(lines: ReadonlySet<string>): Promise<void> {
    if (lines.size === 0) return;
    for (const { line, position, ...dropped } of await this.aside.excess(lines)) {
      await this.firing.giveUp(line, position, dropped);
      await this.aside.drop(line, position);
    }
  }

  /** Returns what is owed: what failed, and what comes behind it or behind what was put aside before. */
  private async fireOrOwe({ matches, unread }: Found): Promise<readonly OwedEvent[]> {
    if (matches.length + unread.length === 0) return [];
    const unreadable = unread.map(({ trigger: line, recorded: { position, recordedAt }, mayMatch, error }) => ({
      line,
      position,
      recordedAt,
      ...(mayMatch && { matched: false }),
      error,
    }));
    const [waits, lost] = await Promise.all([this.aside.lines(), this.triggers.lost()]);
    const behind = new Set([...waits, ...lost, ...unreadable.map(({ line }) => line)]);
    const unfired = unlessAll(await this.firing.fire(matches.filter(({ trigger }) => !behind.has(trigger))));
    const waiting = matches.filter(({ trigger }) => behind.has(trigger)).map((match) => owedOf(match));
    return [...unreadable, ...waiting, ...unfired.flatMap(owedOfLine)];
  }
}

interface Read {
  readonly line: DueLine;
  readonly matches: readonly Match[];
  /** How many events could be read. */
  readonly whole: number;
  readonly error?: unknown;
}

const owedOf = ({ trigger: line, what, recorded: { position, recordedAt } }: Match, error?: unknown): OwedEvent => ({
  line,
  position,
  recordedAt,
  ...('event' in what && { matched: true }),
  error,
});

const owedOfLine = ({ rest, error }: Unfired): readonly OwedEvent[] =>
  rest.map((match, at) => owedOf(match, at === 0 ? error : undefined));

/** Throws if one of the errors concerns all events. */
function unlessAll(unfired: readonly Unfired[]): readonly Unfired[] {
  const all = unfired.find(({ error }) => concernsAll(error));
  if (all) throw all.error;
  return unfired;
}
