import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { isConnectionError } from '../../application/kernel/connection-errors.js';
import type { PostgresPool } from './postgres-pool.js';

/** A third of the time after which a build no longer counts as in use. */
const EVERY_MS = 20_000;
/** Of all processes of a build, one writes. */
const SAY = `update builds set used_at = now() where schema = $1 and used_at < now() - interval '10 seconds'`;

/** Says that this process uses its build, so that no other one migrates it away. */
export class BuildInUse implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(BuildInUse.name);
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly pool: Pick<PostgresPool, 'query'>,
    private readonly schema: string,
    private readonly everyMs = EVERY_MS,
  ) {}

  onApplicationBootstrap(): void {
    this.timer ??= setInterval(() => void this.say(), this.everyMs).unref();
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  /** While the database is unavailable, no other build can migrate it either. */
  private async say(): Promise<void> {
    await this.pool.query(SAY, [this.schema]).catch((error: unknown) => {
      if (!isConnectionError(error))
        this.logger.error(`Expected to note that this build is in use, but: ${String(error)}`);
    });
  }
}
