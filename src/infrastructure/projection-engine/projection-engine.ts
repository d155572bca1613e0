import { Injectable } from '@nestjs/common';
import { EventStore } from '../../application/kernel/event-store.port.js';
import type { Projection } from '../../projections/kernel/projection.js';
import { LINEAGE } from '../../projections/read-models.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { Leaders } from '../leadership/leaders.js';
import { Follower, WHILE_STOPPED } from './follower.js';
import { LagWatch } from './lag-watch.js';
import { LogFeed } from './log-feed.js';
import { Loop } from './loop.js';
import { Progress } from './progress.js';
import { ProjectionConsumer } from './projection-consumer.js';
import { Rebuild, type RebuildOptions } from './rebuild.js';

/** The read models that this process keeps up to date. */
export class FollowedModels {
  constructor(
    readonly projections: readonly Projection<never>[],
    readonly whileStopped = WHILE_STOPPED,
  ) {}
}

const HOUR_MS = 3_600_000;

/** The projector role. It runs one follower per read model, and one reader of the log feeds them all. */
@Injectable()
export class ProjectionEngine {
  private readonly followers: readonly Follower[];
  private readonly rebuilding: Rebuild;
  private readonly lag: LagWatch;
  private readonly tidying = new Loop('drop rows from before a switch', () => this.dropOld());
  private hasStarted = false;

  constructor(
    private readonly followed: FollowedModels,
    pool: PostgresPool,
    store: EventStore,
    feed: LogFeed,
    leaders: Leaders,
    progress: Progress,
  ) {
    this.rebuilding = new Rebuild(store, pool, leaders);
    this.lag = new LagWatch(pool, store);
    const parts = { pool, feed, leaders, progress };
    this.followers = followed.projections.map(
      (projection) =>
        new Follower(new ProjectionConsumer(projection, pool, this.rebuilding), parts, followed.whileStopped),
    );
  }

  /** Safe to call twice. */
  start(): void {
    this.followers.forEach((follower) => follower.start());
    this.lag.start();
    this.tidying.start();
  }

  /** Waits for the current batches. Safe to call twice. */
  async stop(): Promise<void> {
    await Promise.all([...this.followers.map((follower) => follower.stop()), this.lag.stop(), this.tidying.stop()]);
  }

  /** Drops rows from before a switch, one look an hour. */
  private async dropOld(): Promise<number> {
    if (this.hasStarted) await this.rebuilding.dropOld([...this.followed.projections, LINEAGE]);
    this.hasStarted = true;
    return HOUR_MS;
  }

  /**
   * Rebuilds the read models' rows from the whole log, beside those in use, and then switches. Followers keep running.
   */
  async rebuild(names: readonly string[], options: RebuildOptions = {}): Promise<void> {
    await this.rebuilding.run(
      names.map((name) => this.named(name)),
      options,
    );
  }

  private named(name: string): Projection<never> {
    const projection = this.followed.projections.find((one) => one.name === name);
    if (!projection) throw new Error(`Expected to rebuild '${name}', but no read model has that name`);
    return projection;
  }
}
