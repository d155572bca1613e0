import type { EventReads, ShownEvent } from '../../application/kernel/event-store.port.js';
import { openIn, outsideTransactions, type Part } from './outside-transactions.js';
import { LogTimes, type PositionsAround, type Stretch } from './log-times.port.js';

/** In events, which are read one by one. */
const STRETCH = 2_000;

/**
 * In records of the store. The appends of a transaction come within milliseconds, or within a quarter of a minute if the
 * process dies that stores them.
 */
const TRANSACTION = 1_000;

/** For a store that can only be read. Positions between events cannot be read from, so reads begin at those of events. */
export class ScannedLogTimes extends LogTimes {
  constructor(
    private readonly log: Pick<EventReads, 'scan' | 'head' | 'placeBefore'>,
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

  async around(time: number, after: bigint, upTo: bigint | null): Promise<PositionsAround> {
    let [before, last, previous]: [bigint | null, bigint | null, bigint] = [null, null, after];
    for await (const { position, recordedAt } of this.between(after, upTo)) {
      if (Date.parse(recordedAt) <= time) last = position;
      else before ??= previous;
      previous = position;
    }
    return { before, last };
  }

  async timeAt(position: bigint, near: () => Promise<bigint>): Promise<number | null> {
    let found: number | null = null;
    for await (const { recordedAt } of this.between(await near(), position)) found = Date.parse(recordedAt);
    return found;
  }

  /** Such a store appends to one stream at a time. */
  override async outsideTransactions(position: bigint): Promise<bigint> {
    if (position === 0n) return position;
    const { from, events } = await this.before(position);
    return outsideTransactions(events, from);
  }

  override async transactionsAmid(position: bigint): Promise<readonly string[]> {
    return openIn((await this.before(position)).events);
  }

  private async before(position: bigint): Promise<{ readonly from: bigint; readonly events: readonly Part[] }> {
    const from = await this.log.placeBefore(position, TRANSACTION);
    const events: Part[] = [];
    for await (const { position: at, transaction } of this.between(from, position))
      events.push({ position: at, ...(transaction && { transaction }) });
    return { from, events };
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
