import type { Clock } from '../../application/kernel/clock.port.js';
import type { EventReads, RecordedEvent } from '../../application/kernel/event-store.port.js';
import { readSome, UnreadableStream } from '../../application/kernel/unreadable-stream.js';
import type { Recorded } from '../../projections/kernel/event-log.port.js';
import {
  type AsOf,
  type EventsAsked,
  type Moment,
  BeforeTheLog,
  NoSuchMoment,
  Past,
  type SomeEvents,
} from '../../projections/kernel/past.port.js';
import type { LogTimes } from './log-times.port.js';
import type { TimeMarks } from './time-marks.port.js';
import { TimesIndex } from './times-index.js';

/** An append waits at most so long between reading the clock and being visible. */
const SETTLED_AFTER_MS = 10_000;
/** Events of a stream that are read at once. */
const SLICE = 500;

/** The past as the log tells it. */
export class LogPast extends Past {
  private readonly times: TimesIndex;
  /** As far as this process has seen the log. */
  private head = 0n;

  constructor(
    private readonly log: EventReads,
    private readonly logTimes: LogTimes,
    marks: Pick<TimeMarks, 'from'>,
    private readonly clock: Clock,
  ) {
    super();
    this.times = new TimesIndex(logTimes, marks, () => log.head());
  }

  async momentOf(asked: AsOf): Promise<Moment> {
    const now = this.clock.now().getTime();
    if ('position' in asked) return this.atPosition(asked.position);
    const time = 'at' in asked ? asked.at.getTime() : now - asked.ago;
    if (time > now) throw new NoSuchMoment('Expected a time that is over, but it is in the future');
    return this.atTime(time, now);
  }

  async now(): Promise<Moment> {
    const position = await this.log.head();
    return { position, at: this.clock.now().toISOString(), alternative: null, settled: true };
  }

  canBeginAt(position: bigint): Promise<boolean> {
    return position === 0n ? Promise.resolve(true) : this.log.canReadAfter(position);
  }

  async eventsOf({ after, upTo, most, withinMs = Infinity, ...filter }: EventsAsked): Promise<SomeEvents> {
    const end = performance.now() + withinMs;
    const found: RecordedEvent[] = [];
    let reached = after;
    while (reached < upTo) {
      const slice = await this.log.scan({ after: reached, upTo }, SLICE, filter);
      for (const event of slice.events) if (event.unreadable === undefined) found.push(event);
      if (found.length > most) return firstOf(found, most);
      ({ reached } = slice);
      if (reached < upTo && performance.now() > end) return { events: found, isWhole: false, reached };
    }
    return { events: found, isWhole: true, reached };
  }

  async historiesAt(streams: readonly string[], position: bigint): Promise<readonly (readonly Recorded[])[]> {
    const found: (readonly Recorded[])[] = [];
    while (found.length < streams.length) {
      const rest = streams.slice(found.length);
      const read = await readSome(rest, (some) => this.log.readFirst(some));
      for (const [at, history] of read.entries())
        found.push(
          history instanceof UnreadableStream ? await this.readable(rest[at]!, position) : upTo(history, position),
        );
    }
    return found;
  }

  async beginningOf(stream: string): Promise<Recorded | null> {
    const range = { after: 0n, upTo: await this.log.head() };
    const { events } = await this.log.scan(range, 1, { stream });
    return events[0] ?? null;
  }

  private async atPosition(position: bigint): Promise<Moment> {
    // A log does not become shorter, so most positions cost no look at its end.
    if (position > this.head) this.head = await this.log.head();
    if (position > this.head)
      throw new NoSuchMoment(`Expected a position that the log has reached, but it ends at ${this.head}`);
    const time = await this.times.timeAt(position);
    if (time === null) throw new NoSuchMoment('Expected a position of the log, but it is before the first event');
    return { position, at: new Date(time).toISOString(), alternative: null, settled: true };
  }

  private async atTime(time: number, now: number): Promise<Moment> {
    // Read first: what is stored after it is later than a time that is settled.
    const head = await this.log.head();
    const { before, last } = await this.times.around(time);
    const position = await this.logTimes.outsideTransactions(before ?? head);
    const alternative = last !== null && last > position ? last : null;
    if (position === 0n || last === null) throw beforeFirst(alternative);
    return { position, at: new Date(time).toISOString(), alternative, settled: now - time >= SETTLED_AFTER_MS };
  }

  /** The stream up to the first event that cannot be read. */
  private async readable(stream: string, position: bigint): Promise<readonly Recorded[]> {
    const found: RecordedEvent[] = [];
    for (let after = 0n; after < position;) {
      const { events, reached } = await this.log.scan({ after, upTo: position }, SLICE, { stream });
      for (const event of events) {
        if (event.unreadable !== undefined) return found;
        found.push(event);
      }
      after = reached;
    }
    return found;
  }
}

const firstOf = (found: readonly RecordedEvent[], most: number): SomeEvents => {
  const events = found.slice(0, most);
  return { events, isWhole: false, reached: events.at(-1)!.position };
};

const upTo = (history: readonly RecordedEvent[], position: bigint): readonly RecordedEvent[] =>
  history.filter((event) => event.position <= position);

const beforeFirst = (alternative: bigint | null): BeforeTheLog =>
  new BeforeTheLog(
    'Expected a time at which the log had begun, but it is before the first event' +
      (alternative === null ? '' : `; because the clock was set back later, it may also mean position ${alternative}`),
  );
