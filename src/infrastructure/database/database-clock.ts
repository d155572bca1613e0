import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../application/kernel/clock.port.js';
import { isConnectionError } from '../../application/kernel/connection-errors.js';
import { PostgresPool } from './postgres-pool.js';

/** Monotonic clocks of two machines part by well under a millisecond in this time. */
const SAMPLE_MS = 5_000;

/**
 * The database's time: sampled every few seconds and carried on by this process's monotonic clock, so that a wrong or jumping
 * system clock changes nothing. What decides eligibility or expiry is compared in SQL; this serves what is written down.
 */
@Injectable()
export class DatabaseClock extends Clock implements OnApplicationShutdown {
  private readonly logger = new Logger(DatabaseClock.name);
  private timer: NodeJS.Timeout | null = null;
  /** Database time less monotonic time, in milliseconds; null before the first sample. */
  private offset: number | null = null;

  constructor(private readonly pool: PostgresPool) {
    super();
  }

  now(): Date {
    if (this.offset === null)
      throw new Error('Expected the database clock to be read, but it has not been sampled yet');
    return new Date(performance.now() + this.offset);
  }

  /** Not a hook: Nest gives out no application context of which one throws, and nobody could close what is open. */
  async start(): Promise<void> {
    await this.sample();
    this.timer ??= setInterval(() => void this.sampleAgain(), SAMPLE_MS).unref();
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  /**
   * The database read its clock somewhere within the round trip, so the offset lies between two bounds. One that lies there
   * already is kept: a slow answer must not set the time back.
   */
  async sample(): Promise<void> {
    const sent = performance.now();
    const { rows } = await this.pool.query<{ ms: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
    );
    const [least, most] = [rows[0]!.ms - performance.now(), rows[0]!.ms - sent];
    this.offset = Math.min(most, Math.max(least, this.offset ?? (least + most) / 2));
  }

  /** While the database is away, the last offset stays in use: nothing can be stored meanwhile anyway. */
  private async sampleAgain(): Promise<void> {
    await this.sample().catch((error: unknown) => {
      if (!isConnectionError(error)) this.logger.error(`Expected to read the database clock, but: ${String(error)}`);
    });
  }
}
