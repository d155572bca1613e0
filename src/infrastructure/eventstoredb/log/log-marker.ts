import { pause } from '../../projection-engine/backoff.js';
import { Loop } from '../../projection-engine/loop.js';
import type { LogMark } from './log-marks.js';
import type { PostgresLogMarks } from './postgres-log-marks.js';

const LOOK_MS = 60_000;
/** A process that stops waits for its last mark so long at most. */
const LAST_LOOK_MS = 1_000;

/**
 * Notes once a minute how the log ends, and when it stops, so that the next process need not look through what others wrote
 * meanwhile. Keeps few enough of the stretches. Any number of processes may do it.
 */
export class LogMarker {
  private readonly loop = new Loop('mark the end of the log', () => this.round());
  private isStarted = false;

  constructor(
    private readonly log: { mark(): Promise<LogMark | null> },
    private readonly marks: PostgresLogMarks,
  ) {}

  /** Safe to call twice. */
  start(): void {
    this.isStarted = true;
    this.loop.start();
  }

  /** Waits for the current round, and a moment for a last mark. Safe to call twice. */
  async stop(): Promise<void> {
    const { isStarted } = this;
    this.isStarted = false;
    await this.loop.stop();
    if (isStarted) await within(LAST_LOOK_MS, this.note(0));
  }

  async look(): Promise<void> {
    await this.note();
    await this.marks.prune();
  }

  private async note(restSeconds?: number): Promise<void> {
    const mark = await this.log.mark();
    if (mark) await this.marks.note(mark, restSeconds);
  }

  private async round(): Promise<number> {
    await this.look();
    return LOOK_MS;
  }
}

/** Without the mark, the next process looks further. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  await Promise.race([work.catch(() => undefined), pause(ms, over.signal)]);
  over.abort();
}
