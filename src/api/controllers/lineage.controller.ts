import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Refused } from '../../application/kernel/application-error.js';
import { GetLineage } from '../../projections/lineage/get-lineage.query.js';
import { withoutNodes } from '../../projections/lineage/hidden.js';
import { ListOverlaps } from '../../projections/overlaps/list-overlaps.query.js';
import { Lineage, LineageQuery, OverlapPage, OverlapQuery } from '../dto/lineage.dto.js';
import { QueryEndpoint } from '../http/endpoint.js';
import { sinceOf } from '../input/since.js';
import type { Call } from '../operations/call.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { renameIn } from '../operations/queue-ids.js';
import { Reads } from '../operations/reads.js';
import { Scopes } from '../operations/scopes.js';

const STEPS = 3;

/** What led to what, and what was done twice at the same time. */
@ApiTags('history')
@Controller('v1')
export class LineageController {
  constructor(
    private readonly queries: QueryBus,
    private readonly reads: Reads,
    private readonly scopes: Scopes,
  ) {}

  @Get('tasks/:id/lineage')
  @QueryEndpoint({
    on: 'task',
    summary: 'Show what led to a task, and what followed from it',
    onlyPresent: 'each link has the position from which on it holds',
    description:
      'Tasks and batches, as far as events name them as causes. What is outside of the queues of the API key is left out and counted.',
    query: LineageQuery,
    answers: Lineage,
    refuses: ['TASK_NOT_FOUND'],
  })
  getTaskLineage(call: Call<unknown, LineageQuery>) {
    const { on: task, query } = call;
    const { up = STEPS, down = STEPS, minPosition } = query;
    return this.reads.from('lineage', minPosition, async () => {
      const lineage = await this.queries.execute(new GetLineage(task, up, down));
      if (lineage === null) throw new Refused({ code: 'TASK_NOT_FOUND' });
      const ids = lineage.nodes.map(({ id }) => id);
      return withoutNodes(lineage, await this.scopes.outside(ids, call));
    });
  }

  @Get('overlaps')
  @QueryEndpoint({
    summary: 'List attempts that overlapped with the next one of their task',
    onlyPresent: '`from` and `to` choose its range',
    queues: ({ query }: Call<unknown, OverlapQuery>) => [query.queue],
    renameQueues: ({ query }: Call<unknown, OverlapQuery>, name) => renameIn([query], name),
    description:
      'Attempts that were lost, and whose workers reported after the next attempt had begun, the newest first. They show work that was perhaps done twice, not what it did.',
    query: OverlapQuery,
    answers: OverlapPage,
  })
  listOverlaps({ query }: Call<unknown, OverlapQuery>) {
    const { queue, from = '24h', to = 'now', cursor = null, limit = PAGE, minPosition } = query;
    const asked = { from: sinceOf(from), to: sinceOf(to), ...(queue !== undefined && { queue }) };
    return this.reads.from('lineage', minPosition, () =>
      this.queries.execute(new ListOverlaps(asked, cursor, limit)).catch(asInvalidInput),
    );
  }
}
