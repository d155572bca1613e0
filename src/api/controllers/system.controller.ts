import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { GetProjectionLag } from '../../projections/lag/lag.queries.js';
import { ListQueueStats } from '../../projections/queue-stats/queue-stats.queries.js';
import { ListWorkers } from '../../projections/worker-roster/worker-roster.queries.js';
import { ProjectionList, WorkerList } from '../dto/operation.dto.js';
import { PageQuery } from '../dto/query.dto.js';
import { QueueStatsList } from '../dto/queue.dto.js';
import { QueryEndpoint } from '../http/endpoint.js';
import type { Call } from '../operations/call.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { Reads } from '../operations/reads.js';

type PageCall = Call<unknown, PageQuery>;

/** The overview: the queues' counts, the workers, and the lag of the read models. */
@ApiTags('system')
@Controller('v1')
export class SystemController {
  constructor(
    private readonly queries: QueryBus,
    private readonly reads: Reads,
  ) {}

  @Get('queue-stats')
  @QueryEndpoint({
    summary: 'Show the statistics of all queues',
    description: 'Ordered by name.',
    query: PageQuery,
    answers: QueueStatsList,
  })
  listQueueStats({ query }: PageCall) {
    const { minPosition, cursor = null, limit = PAGE } = query;
    return this.reads.from('queue-stats', minPosition, () =>
      this.queries.execute(new ListQueueStats(cursor, limit)).catch(asInvalidInput),
    );
  }

  @Get('workers')
  @QueryEndpoint({
    summary: 'List the workers',
    description: 'Ordered by name.',
    query: PageQuery,
    answers: WorkerList,
  })
  listWorkers({ query }: PageCall) {
    const { minPosition, cursor = null, limit = PAGE } = query;
    return this.reads.from('worker-roster', minPosition, () =>
      this.queries.execute(new ListWorkers(cursor, limit)).catch(asInvalidInput),
    );
  }

  @Get('projections')
  @QueryEndpoint({ summary: 'Show how far read models and reactions are behind', answers: ProjectionList })
  async listProjections() {
    return { body: { items: await this.queries.execute(new GetProjectionLag()) } };
  }
}
