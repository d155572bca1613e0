import { SharedCall } from '../../application/kernel/shared-call.js';
import { within } from '../../application/kernel/within.js';
import { HistoryNotReady } from '../../projections/kernel/past.port.js';
import type { LogTimes, PositionsAround, Stretch } from './log-times.port.js';
import type { TimeMarks } from './time-marks.port.js';

/** The first look at a long log whose times nobody has kept goes through all of it. It goes on for the next caller. */
const PATIENCE_MS = 2_000;

/**
 * Finds positions by time. Recorded times do not ascend where a clock was set back, so it keeps the earliest and the
 * latest of each stretch of the log: 24 bytes for thousands of events. A process reads those that are kept, and the log
 * from there.
 */
export class TimesIndex {
  private readonly stretches: Stretch[] = [];
  private readonly recalling = new SharedCall(() => this.recall());
  private readonly reading = new SharedCall(() => this.readOn());

  constructor(
    private readonly times: LogTimes,
    private readonly marks: Pick<TimeMarks, 'from'>,
    private readonly head: () => Promise<bigint>,
  ) {}

  /** As in the whole log. Throws `HistoryNotReady`. */
  async around(time: number): Promise<PositionsAround> {
    await this.ready();
    const tail = await this.times.around(time, this.reached, null);
    const first = this.stretches.findIndex(({ latest }) => latest > time);
    const last = tail.last === null ? this.stretches.findLastIndex(({ earliest }) => earliest <= time) : -1;
    return {
      before: first < 0 ? tail.before : (await this.inStretch(first, time)).before,
      last: last < 0 ? tail.last : (await this.inStretch(last, time)).last,
    };
  }

  /** When the last event at or before the position was recorded; null if there is none. */
  timeAt(position: bigint): Promise<number | null> {
    return this.times.timeAt(position, async () => {
      if (this.reached < position) await this.recalling.ask();
      return this.stretches.findLast(({ end }) => end < position)?.end ?? 0n;
    });
  }

  private get reached(): bigint {
    return this.stretches.at(-1)?.end ?? 0n;
  }

  private inStretch(at: number, time: number): Promise<PositionsAround> {
    return this.times.around(time, this.stretches[at - 1]?.end ?? 0n, this.stretches[at]!.end);
  }

  private async ready(): Promise<void> {
    if ((await within(this.reading.ask(), PATIENCE_MS)) === null)
      throw new HistoryNotReady(this.reached, await this.head());
  }

  private async readOn(): Promise<true> {
    await this.recalling.ask();
    for (;;) {
      const from = this.reached;
      const next = await this.times.stretchAfter(from);
      if (next === null) return true;
      this.add(from, next);
    }
  }

  private async recall(): Promise<true> {
    for (;;) {
      const kept = await this.marks.from(this.reached);
      if (kept.length === 0) return true;
      for (const { after, ...stretch } of kept) this.add(after, stretch);
    }
  }

  /** Unless another call was first. */
  private add(after: bigint, stretch: Stretch): void {
    if (after === this.reached) this.stretches.push(stretch);
  }
}
