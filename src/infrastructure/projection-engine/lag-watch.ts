import { Logger } from '@nestjs/common';
import type { EventStore } from '../../application/kernel/event-store.port.js';
import type { PostgresPool } from '../persistence/postgres-pool.js';
import { Loop } from './loop.js';

const LOOK_MS = 10_000;
/** Some seconds' worth at full load: more means that a follower does not keep up, or stopped. */
const HIGH = 100_000n;

/** Says in the log of the process which follower is far behind, as long as it is. */
export class LagWatch {
  private readonly logger = new Logger('Lag');
  private readonly loop = new Loop('watch the lag', () => this.look());

  constructor(
    private readonly pool: PostgresPool,
    private readonly store: EventStore,
  ) {}

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async look(): Promise<number> {
    const head = await this.store.head();
    const { rows } = await this.pool.query<{ name: string; position: string }>(
      `select name, position from projection_checkpoints where slot = 'live' and position < $1`,
      [head - HIGH],
    );
    for (const { name, position } of rows) this.logger.warn(`'${name}' is ${head - BigInt(position)} events behind`);
    return LOOK_MS;
  }
}
