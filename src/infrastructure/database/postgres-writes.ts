import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { isConnectionError, READ_ONLY } from '../../application/kernel/connection-errors.js';
import { Writes } from '../../application/kernel/writes.port.js';
import { PostgresPool } from './postgres-pool.js';

const EVERY_MS = 2_000;
/** Also on in a standby. */
const ASK = `select current_setting('transaction_read_only') = 'on' as read_only`;

/** Asks the database every few seconds whether it takes writes, and logs when that changes. */
@Injectable()
export class PostgresWrites extends Writes implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Postgres');
  private timer: NodeJS.Timeout | null = null;
  private known: string | null = null;

  constructor(private readonly pool: PostgresPool) {
    super();
  }

  onApplicationBootstrap(): void {
    this.timer ??= setInterval(() => void this.look(), EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  /** A session that began when the database was read-only may stay so, and is given up. */
  async prevented(): Promise<string | null> {
    const connection = await this.pool.connect();
    try {
      const { rows } = await connection.query(ASK);
      const found = rows[0].read_only ? READ_ONLY : null;
      connection.release(found === null ? undefined : new Error(found));
      return this.tell(found);
    } catch (error) {
      connection.release(error as Error);
      throw error;
    }
  }

  /** While the database is unavailable, readiness and the commands say so. */
  private async look(): Promise<void> {
    await this.prevented().catch((error: unknown) => {
      if (!isConnectionError(error))
        this.logger.error(`Expected to ask whether the database takes writes, but: ${String(error)}`);
    });
  }

  private tell(found: string | null): string | null {
    if (found !== this.known) {
      if (found === null) this.logger.log('The database takes writes again');
      else this.logger.error(found);
    }
    return (this.known = found);
  }
}
