import type { EventReads, ShownEvent } from '../../application/kernel/event-store.port.js';
import { type Around, LogTimes, type Stretch } from './log-times.port.js';

/** In events, which are read one by one. */
const STRETCH = 2_000;

/** For a store that can only be read. Positions between events cannot be read from, so reads begin at those of events. */
export class ScannedLogTimes extends LogTimes {
  constructor(
    private readonly log: Pick<EventReads, 'scan' | 'head'>,
    private readonly stretch = STRETCH,
  ) {
    super();
  }

  async stretchAfter(after: bigint): Promise<Stretch | null> {
    let stretch: Stretch | null = null;
    let count = 0;
    for await (const { position, recordedAt } of this.between(after, null)) {
      const time = Date.parse(recordedAt);
      const { earliest, latest }: Omit<Stretch, 'end'> = stretch ?? { earliest: time, latest: time };
      stretch = { end: position, earliest: Math.min(earliest, time), latest: Math.max(latest, time) };
      if (++count === this.stretch) return stretch;
    }
    return null;
  }

  async around(time: number, after: bigint, upTo: bigint | null): Promise<Around> {
    let [before, last, previous]: [bigint | null, bigint | null, bigint] = [null, null, after];
    for await (const { position, recordedAt } of this.between(after, upTo)) {
      if (Date.parse(recordedAt) <= time) last = position;
      else before ??= previous;
      previous = position;
    }
    return { before, last };
  }

  async timeAt(position: bigint, after: bigint): Promise<number | null> {
    let found: number | null = null;
    for await (const { recordedAt } of this.between(after, position)) found = Date.parse(recordedAt);
    return found;
  }

  private async *between(after: bigint, upTo: bigint | null): AsyncGenerator<ShownEvent> {
    const end = upTo ?? (await this.log.head());
    for (let reached = after; reached < end;) {
      const slice = await this.log.scan({ after: reached, upTo: end }, this.stretch, {});
      yield* slice.events;
      reached = slice.reached;
    }
  }
}
