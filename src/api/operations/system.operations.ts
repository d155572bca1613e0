import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetProjectionLag, type ProjectionLag } from '../../projections/lag/lag.queries.js';
import { ListWorkers, type WorkerPage } from '../../projections/worker-roster/worker-roster.queries.js';
import type { Answer } from '../answer.js';
import { asInvalidInput, PAGE, pages } from './pages.js';
import { Reads } from './reads.js';

/** Who works, and how far the read models are, for every transport. */
@Injectable()
export class SystemOperations {
  constructor(
    private readonly queries: QueryBus,
    private readonly reads: Reads,
  ) {}

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
