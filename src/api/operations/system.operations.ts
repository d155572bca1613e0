import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetProjectionLag, type ProjectionLag } from '../../projections/lag/lag.queries.js';
import { ListWorkers, type WorkerView } from '../../projections/worker-roster/worker-roster.queries.js';
import type { Answer } from '../answer.js';
import { ReadQuery } from '../dto/query.dto.js';
import { QueryShape } from '../input/query-shape.js';
import { Reads } from './reads.js';

const reading = new QueryShape(ReadQuery);

/** Who works, and how far the read models are, for every transport. */
@Injectable()
export class SystemOperations {
  constructor(
    private readonly queries: QueryBus,
    private readonly reads: Reads,
  ) {}

  listWorkers(query: unknown): Promise<Answer<{ items: readonly WorkerView[] }>> {
    const { minPosition } = reading.of(query);
    return this.reads.from('worker-roster', minPosition, async () => ({
      items: await this.queries.execute(new ListWorkers()),
    }));
  }

  async listProjections(): Promise<Answer<{ items: readonly ProjectionLag[] }>> {
    return { body: { items: await this.queries.execute(new GetProjectionLag()) } };
  }
}
