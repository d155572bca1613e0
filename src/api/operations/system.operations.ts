import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetProjectionLag, type ProjectionLag } from '../../projections/lag/lag.queries.js';
import { ListQueueStats, type QueueStatsPage } from '../../projections/queue-stats/queue-stats.queries.js';
import { ListWorkers, type WorkerPage } from '../../projections/worker-roster/worker-roster.queries.js';
import type { Answer } from '../answer.js';
import { asInvalidInput, PAGE, pages } from './pages.js';
import { Reads } from './reads.js';

/** Everything at a glance, for every transport: what the queues came to, who works, how far the read models are. */
@Injectable()
export class SystemOperations {
  constructor(
    private readonly queries: QueryBus,
    private readonly reads: Reads,
  ) {}

  listQueueStats(query: unknown): Promise<Answer<QueueStatsPage>> {
    const { minPosition, cursor = null, limit = PAGE } = pages.of(query);
    return this.reads.from('queue-stats', minPosition, () =>
      this.queries.execute(new ListQueueStats(cursor, limit)).catch(asInvalidInput),
    );
  }

  listWorkers(query: unknown): Promise<Answer<WorkerPage>> {
    const { minPosition, cursor = null, limit = PAGE } = pages.of(query);
    return this.reads.from('worker-roster', minPosition, () =>
      this.queries.execute(new ListWorkers(cursor, limit)).catch(asInvalidInput),
    );
  }

  async listProjections(): Promise<Answer<{ items: readonly ProjectionLag[] }>> {
    return { body: { items: await this.queries.execute(new GetProjectionLag()) } };
  }
}
