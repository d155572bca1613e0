import { ApiError } from '../problems/api-error.js';

/**
 * Of each holder, this many queries are looked up at once: three times as many as queries have connections, so that one
 * holder alone keeps all of them busy, and the queries of others wait behind few.
 */
const AT_ONCE = 16;
/** Each is a request in memory. */
const LINE = 1_000;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Lets the queries of each holder run a few at once, in the order in which they came. */
export class Turns {
  private readonly lines = new Map<string, Line>();

  constructor(
    private readonly atOnce: number = AT_ONCE,
    private readonly most: number = LINE,
  ) {}

  /** Waits for a turn, which lasts until the returned function is called. Throws `OVERLOADED` if the line is too long. */
  async take(holder: string): Promise<() => void> {
    const line = this.lines.get(holder) ?? { running: 0, waiting: [] };
    this.lines.set(holder, line);
    if (line.waiting.length >= this.most) throw tooLong(holder, this.most);
    if (line.running < this.atOnce) line.running++;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    return () => this.leave(holder, line);
  }

  /** The turn goes to the next in line. */
  private leave(holder: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) return next();
    line.running--;
    if (line.running === 0) this.lines.delete(holder);
  }
}

const tooLong = (holder: string, most: number): ApiError =>
  new ApiError(
    'OVERLOADED',
    `Expected at most ${most} queries of ${holder} to wait for their turn, but this would be one more: try again later`,
    { 'retry-after': '1' },
  );
