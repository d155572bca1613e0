import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../application/kernel/clock.port.js';
import { isConnectionError } from '../../application/kernel/connection-errors.js';
import { PostgresPool } from './postgres-pool.js';

/** Within this time, the monotonic clocks of two machines diverge by well under a millisecond. */
const SAMPLE_MS = 5_000;

/**
 * The database's time, sampled every few seconds and carried on by this process's monotonic clock, so a wrong or
 * jumping system clock has no effect. It serves for times that are recorded. SQL compares what decides whether a task
 * is due or a lease has expired.
 */
@Injectable()
export class DatabaseClock extends Clock implements OnApplicationShutdown {
  private readonly logger = new Logger(DatabaseClock.name);
  private timer: NodeJS.Timeout | null = null;
  /** Database time minus monotonic time, in milliseconds; null before the first sample. */
  private offset: number | null = null;

  constructor(private readonly pool: PostgresPool) {
    super();
  }

  now(): Date {
    if (this.offset === null)
      throw new Error('Expected the database clock to be read, but it has not been sampled yet');
    return new Date(performance.now() + this.offset);
  }

  /** Not a hook of Nest: if a hook throws, Nest returns no application context, and nobody could close what is open. */
  async start(): Promise<void> {
    await this.sample();
    this.timer ??= setInterval(() => void this.sampleAgain(), SAMPLE_MS).unref();
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  /**
   * The database read its clock at some moment of the round trip, so the offset lies between two bounds. If the current
   * offset lies there too, it is kept, because a slow answer must not set the time back.
   */
  async sample(): Promise<void> {
    const sent = performance.now();
    const { rows } = await this.pool.query<{ ms: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
    );
    const [least, most] = [rows[0]!.ms - performance.now(), rows[0]!.ms - sent];
    this.offset = Math.min(most, Math.max(least, this.offset ?? (least + most) / 2));
  }

  /** While the database is unavailable, the last offset stays in use. Nothing can be stored meanwhile anyway. */
  private async sampleAgain(): Promise<void> {
    await this.sample().catch((error: unknown) => {
      if (!isConnectionError(error)) this.logger.error(`Expected to read the database clock, but: ${String(error)}`);
    });
  }
}
