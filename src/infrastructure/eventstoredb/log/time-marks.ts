/** The log had no later event at this time. */
export interface TimeMark {
  readonly ms: number;
  readonly position: bigint;
}

const FIRST_APART_MS = 10_000;
/** Bounds the memory. When there are so many, every second one goes, and further ones are twice as far apart. */
const MOST = 1_000;

/** Where the log ended at times at which this process looked, so that a search by time need not begin far from it. */
export class TimeMarks {
  private marks: TimeMark[] = [];
  private apartMs = FIRST_APART_MS;

  add(mark: TimeMark): void {
    const last = this.marks.at(-1);
    if (last && mark.ms < last.ms + this.apartMs) return;
    this.marks.push(mark);
    if (this.marks.length < MOST) return;
    this.marks = this.marks.filter((_, at) => at % 2 === 0);
    this.apartMs *= 2;
  }

  /** The newest mark that is not later than the time; undefined if this process looked only later. */
  before(ms: number): TimeMark | undefined {
    return this.marks.findLast((mark) => mark.ms <= ms);
  }
}
