import type { EventStore } from '../../../src/application/kernel/event-store.port.js';
import type { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { CheckpointReadPositions } from '../../../src/infrastructure/projection-engine/checkpoint-read-positions.js';
import { LogFeed } from '../../../src/infrastructure/projection-engine/log-feed.js';
import { Progress } from '../../../src/infrastructure/projection-engine/progress.js';
import { FollowedModels, ProjectionEngine } from '../../../src/infrastructure/projection-engine/projection-engine.js';
import type { Projection } from '../../../src/projections/kernel/projection.js';

/** The projector role of one process. */
export interface Projector {
  readonly engine: ProjectionEngine;
  readonly positions: CheckpointReadPositions;
  readonly leaders: Leaders;
  stop(): Promise<void>;
}

const RETRY_MS = 20;
/** A stopped follower is tried again at once, almost. */
const WHILE_STOPPED = { firstMs: 20, capMs: 100 };

export function projector(pool: PostgresPool, store: EventStore, projections: readonly Projection<never>[]): Projector {
  const leaders = new Leaders(pool, { retryMs: RETRY_MS });
  const progress = new Progress();
  const engine = new ProjectionEngine(
    new FollowedModels(projections, WHILE_STOPPED),
    pool,
    store,
    new LogFeed(store),
    leaders,
    progress,
  );
  const stop = async (): Promise<void> => {
    await engine.stop();
    await leaders.close();
  };
  return { engine, positions: new CheckpointReadPositions(pool, store, progress), leaders, stop };
}
