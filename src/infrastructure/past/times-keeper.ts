import { Loop } from '../projection-engine/loop.js';
import type { LogTimes } from './log-times.port.js';
import type { MarkedStretch, TimeMarks } from './time-marks.port.js';

const LOOK_MS = 60_000;

/**
 * Keeps the times of the log once a minute, stretch by stretch, so that the first question by time after a start reads
 * only what has been recorded since. Any number of processes may do it.
 */
export class TimesKeeper {
  private readonly loop = new Loop('keep the times of the log', async (signal) => {
    await this.keep(signal);
    return LOOK_MS;
  });

  constructor(
    private readonly times: Pick<LogTimes, 'stretchAfter'>,
    private readonly marks: TimeMarks,
  ) {}

  /** Safe to call twice. */
  start(): void {
    this.loop.start();
  }

  /** Waits for the stretch that is being read. Safe to call twice. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Up to the last whole stretch of the log. From its beginning each time, because somebody may have emptied the table. */
  async keep(signal?: AbortSignal): Promise<void> {
    for (let reached = 0n; !signal?.aborted;) {
      const next = (await this.lastKept(reached)) ?? (await this.read(reached));
      if (next === null) return;
      reached = next.end;
    }
  }

  private async lastKept(after: bigint): Promise<MarkedStretch | null> {
    return (await this.marks.from(after)).at(-1) ?? null;
  }

  private async read(after: bigint): Promise<MarkedStretch | null> {
    const next = await this.times.stretchAfter(after);
    if (next === null) return null;
    const stretch = { after, ...next };
    await this.marks.add(stretch);
    return stretch;
  }
}
