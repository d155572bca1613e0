import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { OperateBatch, type BatchOperation } from '../../application/batches/operate-batch.handler.js';
import { DeliveryTargets } from '../../application/deliveries/delivery-targets.port.js';
import { Refused } from '../../application/kernel/application-error.js';
import { newId } from '../../application/kernel/new-id.js';
import { CreateBatch } from '../../application/batches/create-batch.handler.js';
import { ReleaseBatch } from '../../application/batches/release-batch.handler.js';
import { reportDeliveryId } from '../../application/batches/report-delivery.js';
import { RerunBatch } from '../../application/batches/rerun-batch.handler.js';
import { ListBatchReports, ListBatchReportsAsOf } from '../../projections/batches/batch-reports.queries.js';
import { TallyBatch } from '../../projections/batches/batch-tally.query.js';
import { GetBatchAsOf, ListBatchesAsOf, TallyBatchAsOf } from '../../projections/batches/batches-as-of.queries.js';
import { GetBatch, ListBatches } from '../../projections/batches/batches.queries.js';
import { GetBatchGraphAsOf } from '../../projections/task-graph/graph-as-of.queries.js';
import { GetBatchGraph } from '../../projections/task-graph/graph.queries.js';
import {
  BatchDefinition,
  BatchPage,
  BatchQuery,
  BatchReportPage,
  BatchDetails,
  BatchTallyList,
  OpenBatchRequest,
  TaskGraph,
} from '../dto/batch.dto.js';
import { PastPageQuery, PastQuery } from '../dto/query.dto.js';
import { ReasonRequest } from '../dto/reason.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import { CommandEndpoint, QueryEndpoint } from '../http/endpoint.js';
import type { Answer } from '../operations/answer.js';
import { type Call, contextOf } from '../operations/call.js';
import { batchOrderOf } from '../operations/batch-order.js';
import { DeliveryPermit } from '../operations/delivery-permit.js';
import { receiptAnswer, type ReceiptBody } from '../operations/outcomes.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { asReadProblem, PastReads } from '../operations/past-reads.js';
import { Reads } from '../operations/reads.js';
import { batchSearchIn } from '../operations/search.js';
import { pastBatch, pastBatchDetails, shownBatch, shownBatchDetails } from '../operations/shown-batch.js';
import { withReason } from '../operations/steps.js';
import { renameIn } from '../operations/queue-ids.js';

const REFUSES = ['BATCH_NOT_FOUND', 'BATCH_ILLEGAL_TRANSITION'] as const;

@ApiTags('batches')
@Controller('v1/batches')
export class BatchesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly reads: Reads,
    private readonly past: PastReads,
    private readonly targets: DeliveryTargets,
    private readonly permit: DeliveryPermit,
  ) {}

  @Post()
  @CommandEndpoint({
    permission: 'enqueue',
    summary: 'Create a batch',
    description:
      'Tasks that name the batch wait until it is opened. With `plan`, a task adds them and opens it. With `reportTo`, the API key also needs the permission `deliver` or `operate`.',
    body: BatchDefinition,
    renameQueues: ({ body }: Call<BatchDefinition>, name) => renameIn([body.plan], name),
    submits: ({ body }: Call<BatchDefinition>) => (body.plan ? 1 : 0),
    answers: Receipt,
    creates: true,
    refuses: [
      'BATCH_EXISTS',
      'PRESET_NOT_FOUND',
      'RE_RUN_REPORTING_FIXED',
      'QUEUE_NOT_FOUND',
      'QUEUE_RESERVED',
      'LABEL_RESERVED',
      'QUEUE_FINISHED',
      'INTAKE_CLOSED',
      'DRAINING',
      'KEY_REQUIRED',
      'KEY_ALREADY_WAITING',
      'KIND_NOT_ACCEPTED',
      'REFERENCE_IN_USE',
      'COMMAND_NOT_OFFERED',
      'PAYLOAD_TOO_LARGE',
      'PAYLOAD_INVALID',
      'TASK_EXISTS',
    ],
  })
  async createBatch(call: Call<BatchDefinition>): Promise<Answer<ReceiptBody>> {
    const { id = newId(), reportTo } = call.body;
    if (reportTo) this.permit.assert(call, reportTo, '/reportTo');
    const order = batchOrderOf(call.body, this.targets);
    const context = withReason(call, contextOf(call));
    const receipt = await this.commands.execute(new CreateBatch(id, order, context));
    const answer = receiptAnswer(receipt);
    return { ...answer, ...(answer.body.recorded && { created: `/v1/batches/${id}` }) };
  }

  @Post(':id/release')
  @CommandEndpoint({
    on: 'batch',
    permission: 'operate',
    summary: 'Release the task that plans a batch',
    description: 'The answer is about that task. It is refused while a hold in force catches the task.',
    body: ReasonRequest,
    bodyOptional: true,
    answers: Receipt,
    refuses: [
      'BATCH_NOT_FOUND',
      'BATCH_WITHOUT_PLANNER',
      'BATCH_COMMAND_NOT_OFFERED',
      'ILLEGAL_TRANSITION',
      'HOLD_IN_FORCE',
    ],
  })
  async releaseBatch(call: Call<ReasonRequest>): Promise<Answer<ReceiptBody>> {
    const context = withReason(call, contextOf(call));
    return receiptAnswer(await this.commands.execute(new ReleaseBatch(call.on, context)));
  }

  @Post(':id/report')
  @CommandEndpoint({
    on: 'batch',
    permission: 'operate',
    summary: 'Let a failed batch report what has changed',
    description:
      'Also while some of its tasks have not ended. The batch is completed or failed afterwards. If nothing has changed since the last report, it sends none.',
    body: ReasonRequest,
    bodyOptional: true,
    answers: Receipt,
    refuses: [...REFUSES, 'BATCH_COMMAND_NOT_OFFERED', 'RE_RUNS_REPORTED_OTHERWISE'],
  })
  requestReport(call: Call<ReasonRequest>): Promise<Answer<ReceiptBody>> {
    return this.operate(call, call.on, { type: 'RequestReport' });
  }

  @Post(':id/rerun')
  @CommandEndpoint({
    on: 'batch',
    permission: 'operate',
    summary: 'Run the failed tasks of a batch again, in a batch of their own',
    description: 'The answer is about the new batch, which reports like any other.',
    body: ReasonRequest,
    bodyOptional: true,
    answers: Receipt,
    creates: true,
    refuses: [...REFUSES, 'BATCH_COMMAND_NOT_OFFERED', 'RE_RUNS_REPORTED_OTHERWISE', 'BATCH_RUNS_AGAIN', 'DRAINING'],
  })
  async rerunBatch(call: Call<ReasonRequest>): Promise<Answer<ReceiptBody>> {
    const context = withReason(call, contextOf(call));
    const answer = receiptAnswer(await this.commands.execute(new RerunBatch(call.on, context)));
    return { ...answer, ...(answer.body.recorded && { created: `/v1/batches/${answer.body.id}` }) };
  }

  @Post(':id/open')
  @CommandEndpoint({
    on: 'batch',
    permission: 'enqueue',
    summary: 'Open a batch, so that its tasks may run',
    description: 'All of its tasks, or none: the batch must have as many as the request says.',
    body: OpenBatchRequest,
    answers: Receipt,
    refuses: [...REFUSES, 'BATCH_INCOMPLETE', 'BATCH_COMMAND_NOT_OFFERED'],
  })
  openBatch(call: Call<OpenBatchRequest>): Promise<Answer<ReceiptBody>> {
    return this.operate(call, call.on, { type: 'OpenBatch', tasks: call.body.tasks });
  }

  @Post(':id/abort')
  @CommandEndpoint({
    on: 'batch',
    permission: 'operate',
    summary: 'Abort a batch and all its tasks that have not succeeded',
    description: 'Also those that are running, and the task that plans it.',
    body: ReasonRequest,
    bodyOptional: true,
    answers: Receipt,
    refuses: [...REFUSES, 'BATCH_COMMAND_NOT_OFFERED'],
  })
  abortBatch(call: Call<ReasonRequest>): Promise<Answer<ReceiptBody>> {
    return this.operate(call, call.on, { type: 'AbortBatch' });
  }

  @Delete(':id')
  @CommandEndpoint({
    on: 'batch',
    permission: 'operate',
    summary: 'Delete a batch and all its tasks that have not succeeded',
    description: 'Also those that are running, and the task that plans it. The history of the tasks stays.',
    query: ReasonRequest,
    answers: Receipt,
    refuses: ['BATCH_NOT_FOUND', 'BATCH_AWAITED', 'BATCH_COMMAND_NOT_OFFERED'],
  })
  deleteBatch(call: Call): Promise<Answer<ReceiptBody>> {
    return this.operate(call, call.on, { type: 'DeleteBatch' });
  }

  @Get()
  @QueryEndpoint({
    summary: 'List batches',
    description:
      'The newest first. With a search (`q`), a page looks at a bounded number of batches, so it may have fewer than `limit`, even none, and go on.',
    query: BatchQuery,
    answers: BatchPage,
    refuses: ['HISTORY_NOT_READY', 'READ_TOO_LONG'],
  })
  listBatches({ query }: Call<unknown, BatchQuery>) {
    const { minPosition, asOf, q, state = null, cursor = null, limit = PAGE } = query;
    const search = q === undefined ? {} : { search: batchSearchIn(q) };
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, cursor }, async (moment) => {
        const page = await this.queries.execute(new ListBatchesAsOf({ state, ...search }, { moment, cursor, limit }));
        return { view: { ...page, items: page.items.map(pastBatch) } };
      });
    return this.reads.from('batches', minPosition, async () => {
      const query = new ListBatches({ state, ...search }, cursor, limit);
      const { items, nextCursor } = await this.queries.execute(query).catch(asReadProblem('#/query/q'));
      return { items: items.map(shownBatch), nextCursor };
    });
  }

  @Get(':id')
  @QueryEndpoint({
    on: 'batch',
    summary: 'Show a batch',
    query: PastQuery,
    answers: BatchDetails,
    refuses: ['BATCH_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  getBatch({ on: batch, query: { minPosition, asOf } }: Call<unknown, PastQuery>) {
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, absence: { code: 'BATCH_NOT_FOUND', batch } }, async (moment) => ({
        view: pastBatchDetails(await this.queries.execute(new GetBatchAsOf(batch, moment))),
      }));
    return this.reads.from('batches', minPosition, async () =>
      shownBatchDetails(found(await this.queries.execute(new GetBatch(batch)), batch)),
    );
  }

  @Get(':id/reports')
  @QueryEndpoint({
    on: 'batch',
    summary: 'List what a batch has reported',
    description: 'The newest first, each with the tasks that deliver it.',
    query: PastPageQuery,
    answers: BatchReportPage,
    refuses: ['BATCH_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  listBatchReports({ on: batch, query: pages }: Call<unknown, PastPageQuery>) {
    const { minPosition, asOf, cursor = null, limit = PAGE } = pages;
    if (asOf !== undefined)
      return this.past.asOf(
        { asOf, minPosition, cursor, absence: { code: 'BATCH_NOT_FOUND', batch } },
        async (moment) => ({
          view: await this.queries.execute(
            new ListBatchReportsAsOf(batch, reportDeliveryId, { moment, cursor, limit }),
          ),
        }),
      );
    const query = new ListBatchReports(batch, reportDeliveryId, cursor, limit);
    return this.reads.from('batches', minPosition, async () =>
      found(await this.queries.execute(query).catch(asInvalidInput), batch),
    );
  }

  @Get(':id/tally')
  @QueryEndpoint({
    on: 'batch',
    summary: "Count a batch's tasks by queue, step and state",
    description:
      "The service's own tasks (`waybill.*`) are in no batch: neither deliveries of its reports nor the plan of a batch that runs its failed tasks again are counted.",
    query: PastQuery,
    answers: BatchTallyList,
    refuses: ['BATCH_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  tallyBatch({ on: batch, query: { minPosition, asOf } }: Call<unknown, PastQuery>) {
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, absence: { code: 'BATCH_NOT_FOUND', batch } }, async (moment) => ({
        view: { items: await this.queries.execute(new TallyBatchAsOf(batch, moment)) },
      }));
    return this.reads.from('batches', minPosition, async () => ({
      items: found(await this.queries.execute(new TallyBatch(batch)), batch),
    }));
  }

  @Get(':id/graph')
  @QueryEndpoint({
    on: 'batch',
    summary: "Show the graph of a batch's tasks",
    query: PastQuery,
    answers: TaskGraph,
    refuses: ['BATCH_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  getBatchGraph({ on: batch, query: { minPosition, asOf } }: Call<unknown, PastQuery>) {
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, absence: { code: 'BATCH_NOT_FOUND', batch } }, (moment) =>
        this.queries.execute(new GetBatchGraphAsOf(batch, moment)),
      );
    return this.reads.from('batches', minPosition, async () =>
      found(await this.queries.execute(new GetBatchGraph(batch)), batch),
    );
  }

  private async operate(call: Call, batch: string, operation: BatchOperation): Promise<Answer<ReceiptBody>> {
    const context = withReason(call, contextOf(call));
    return receiptAnswer(await this.commands.execute(new OperateBatch(batch, operation, context)));
  }
}

function found<T>(view: T | null, batch: string): T {
  if (view === null) throw new Refused({ code: 'BATCH_NOT_FOUND', batch });
  return view;
}
