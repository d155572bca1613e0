import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { StartRebuild } from '../../application/rebuilds/start-rebuild.handler.js';
import { DrainSystem, ResumeSystem } from '../../application/system/drain-system.handler.js';
import { GetProjectionLag } from '../../projections/lag/lag.queries.js';
import { ListQueueStatsAsOf } from '../../projections/queue-stats/queue-stats-as-of.queries.js';
import { ListQueueStats } from '../../projections/queue-stats/queue-stats.queries.js';
import { GetDrainAsOf } from '../../projections/system/get-drain-as-of.query.js';
import { GetSystem } from '../../projections/system/system.queries.js';
import { ListWorkersAsOf } from '../../projections/worker-roster/list-workers-as-of.query.js';
import { ListWorkers } from '../../projections/worker-roster/worker-roster.queries.js';
import { ProjectionList, WorkerList } from '../dto/operation.dto.js';
import { PastQuery, PastQueueQuery, ReadQuery, WorkerQuery } from '../dto/query.dto.js';
import { QueueStatsList } from '../dto/queue.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import { RebuildRequest } from '../dto/rebuild.dto.js';
import { DrainRequest, DrainState, ResumeRequest, SystemView } from '../dto/system.dto.js';
import { CommandEndpoint, QueryEndpoint } from '../http/endpoint.js';
import { type Call, contextOf } from '../operations/call.js';
import { receiptAnswer } from '../operations/outcomes.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { PastReads } from '../operations/past-reads.js';
import { Reads } from '../operations/reads.js';
import { withReason } from '../operations/steps.js';

/** The overview: the queues' counts, the workers, and the lag of the read models. */
@ApiTags('system')
@Controller('v1')
export class SystemController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly reads: Reads,
    private readonly past: PastReads,
  ) {}

  @Get('system')
  @QueryEndpoint({
    summary: 'Show whether the system drains, how many tasks run, who leads, and what needs attention',
    onlyPresent: 'no event records who leads, or what fails just now; `GET /v1/system/drain` has the past of the drain',
    query: ReadQuery,
    answers: SystemView,
  })
  getSystem({ query: { minPosition } }: Call<unknown, ReadQuery>) {
    return this.reads.from('system', minPosition, () => this.queries.execute(new GetSystem()));
  }

  @Get('system/drain')
  @QueryEndpoint({
    summary: 'Show whether and how the system drains',
    query: PastQuery,
    answers: DrainState,
    refuses: ['HISTORY_NOT_READY'],
  })
  getDrain({ query: { minPosition, asOf } }: Call<unknown, PastQuery>) {
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition }, async (moment) => ({
        view: await this.queries.execute(new GetDrainAsOf(moment)),
      }));
    return this.reads.from('system', minPosition, async () => {
      const { state, drain } = await this.queries.execute(new GetSystem());
      return { state, drain };
    });
  }

  @Post('system/drain')
  @CommandEndpoint({
    permission: 'operate',
    summary: 'Drain the system: give out no tasks',
    description: 'Repeated with other values, it changes how the system drains.',
    body: DrainRequest,
    bodyOptional: true,
    answers: Receipt,
  })
  async drainSystem(call: Call<DrainRequest>) {
    const { intake = 'closed', running = 'finish' } = call.body;
    const context = withReason(call, contextOf(call));
    return receiptAnswer(await this.commands.execute(new DrainSystem({ intake, running }, context)));
  }

  @Post('system/resume')
  @CommandEndpoint({
    permission: 'operate',
    summary: 'End a drain, and retry the tasks that shutdowns stopped',
    description:
      'Also retries tasks that workers stopped when they shut down by themselves, whether the system drains or not.',
    body: ResumeRequest,
    bodyOptional: true,
    answers: Receipt,
  })
  async resumeSystem(call: Call<ResumeRequest>) {
    const context = withReason(call, contextOf(call));
    return receiptAnswer(await this.commands.execute(new ResumeSystem(call.body.stopped ?? true, context)));
  }

  @Get('queue-stats')
  @QueryEndpoint({
    summary: 'Show the statistics of all queues',
    description: 'Ordered by name.',
    query: PastQueueQuery,
    answers: QueueStatsList,
    refuses: ['HISTORY_NOT_READY'],
  })
  listQueueStats({ query }: Call<unknown, PastQueueQuery>) {
    const { minPosition, asOf, cursor = null, limit = PAGE, ...filter } = query;
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, cursor }, (moment) =>
        this.queries.execute(new ListQueueStatsAsOf({ moment, cursor, limit }, filter)),
      );
    return this.reads.from('queue-stats', minPosition, () =>
      this.queries.execute(new ListQueueStats(cursor, limit, filter)).catch(asInvalidInput),
    );
  }

  @Get('workers')
  @QueryEndpoint({
    summary: 'List the workers',
    description:
      'Ordered by name. As of a moment: those that had claimed a task or reported on one within the week before; `state` and the times follow from these alone.',
    query: WorkerQuery,
    answers: WorkerList,
    refuses: ['HISTORY_NOT_READY'],
  })
  listWorkers({ query }: Call<unknown, WorkerQuery>) {
    const { minPosition, asOf, cursor = null, limit = PAGE, ...filter } = query;
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, cursor }, (moment) =>
        this.queries.execute(new ListWorkersAsOf({ moment, cursor, limit }, filter)),
      );
    return this.reads.from('worker-roster', minPosition, () =>
      this.queries.execute(new ListWorkers(cursor, limit, filter)).catch(asInvalidInput),
    );
  }

  @Get('projections')
  @QueryEndpoint({
    summary: 'Show how far read models and reactions are behind',
    onlyPresent: 'no event records how far a process has read the log',
    answers: ProjectionList,
  })
  async listProjections() {
    return { body: { items: await this.queries.execute(new GetProjectionLag()) } };
  }

  @Post('projections/:projection/rebuild')
  @CommandEndpoint({
    on: 'projection',
    permission: 'operate',
    summary: 'Build a read model from the log, beside the one in use',
    description:
      'The rebuild is a task of the queue `waybill.rebuilds`, with progress. The result of a `diff` has `position`, `rows` (how many differ) and the `first` 20 of them. Cancel that task to stop it.',
    body: RebuildRequest,
    answers: Receipt,
    refuses: ['DRAINING', 'INTAKE_CLOSED'],
  })
  async rebuildProjection(call: Call<RebuildRequest>) {
    const { on: projection, body } = call;
    const context = withReason(call, contextOf(call));
    return receiptAnswer(await this.commands.execute(new StartRebuild({ projection, mode: body.mode }, context)));
  }
}
