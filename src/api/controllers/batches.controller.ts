import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { OperateBatch, type BatchOperation } from '../../application/batches/operate-batch.handler.js';
import { Refused } from '../../application/kernel/application-error.js';
import { newId } from '../../application/kernel/new-id.js';
import { GetBatch, ListBatches } from '../../projections/batches/batches.queries.js';
import { GetBatchGraph } from '../../projections/task-graph/graph.queries.js';
import { BatchDefinition, BatchPage, BatchQuery, BatchView, OpenBatchRequest, TaskGraph } from '../dto/batch.dto.js';
import { ReadQuery } from '../dto/query.dto.js';
import { ReasonRequest } from '../dto/reason.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import { CommandEndpoint, QueryEndpoint } from '../http/endpoint.js';
import type { Answer } from '../operations/answer.js';
import { type Call, contextOf } from '../operations/call.js';
import { receiptAnswer, type ReceiptBody } from '../operations/outcomes.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { Reads } from '../operations/reads.js';
import { withReason } from '../operations/steps.js';

const REFUSES = ['BATCH_NOT_FOUND', 'BATCH_ILLEGAL_TRANSITION'] as const;

@ApiTags('batches')
@Controller('v1/batches')
export class BatchesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly reads: Reads,
  ) {}

  @Post()
  @CommandEndpoint({
    permission: 'enqueue',
    summary: 'Create a batch',
    description: 'Tasks that name the batch wait until it is opened.',
    body: BatchDefinition,
    answers: Receipt,
    creates: true,
    refuses: ['BATCH_EXISTS'],
  })
  async createBatch(call: Call<BatchDefinition>): Promise<Answer<ReceiptBody>> {
    const { id = newId(), name, description, labels } = call.body;
    const facts = { name, ...(description !== undefined && { description }), ...(labels && { labels }) };
    const answer = await this.operate(call, id, { type: 'CreateBatch', facts });
    return { ...answer, ...(answer.body.recorded && { created: `/v1/batches/${id}` }) };
  }

  @Post(':id/open')
  @CommandEndpoint({
    on: 'batch',
    permission: 'enqueue',
    summary: 'Open a batch, so that its tasks may run',
    description: 'All of its tasks, or none: the batch must have as many as the request says.',
    body: OpenBatchRequest,
    answers: Receipt,
    refuses: [...REFUSES, 'BATCH_INCOMPLETE'],
  })
  openBatch(call: Call<OpenBatchRequest>): Promise<Answer<ReceiptBody>> {
    return this.operate(call, call.on, { type: 'OpenBatch', tasks: call.body.tasks });
  }

  @Post(':id/abort')
  @CommandEndpoint({
    on: 'batch',
    permission: 'operate',
    summary: 'Abort a batch and all its tasks that have not succeeded',
    body: ReasonRequest,
    bodyOptional: true,
    answers: Receipt,
    refuses: REFUSES,
  })
  abortBatch(call: Call<ReasonRequest>): Promise<Answer<ReceiptBody>> {
    return this.operate(call, call.on, { type: 'AbortBatch' });
  }

  @Delete(':id')
  @CommandEndpoint({
    on: 'batch',
    permission: 'operate',
    summary: 'Delete a batch and all its tasks that have not succeeded',
    description: 'Also those that are running. The history of the tasks stays.',
    query: ReasonRequest,
    answers: Receipt,
    refuses: ['BATCH_NOT_FOUND', 'BATCH_AWAITED'],
  })
  deleteBatch(call: Call): Promise<Answer<ReceiptBody>> {
    return this.operate(call, call.on, { type: 'DeleteBatch' });
  }

  @Get()
  @QueryEndpoint({ summary: 'List batches', description: 'The newest first.', query: BatchQuery, answers: BatchPage })
  listBatches({ query: { minPosition, state, cursor, limit = PAGE } }: Call<unknown, BatchQuery>) {
    return this.reads.from('batches', minPosition, () =>
      this.queries.execute(new ListBatches(state ?? null, cursor ?? null, limit)).catch(asInvalidInput),
    );
  }

  @Get(':id')
  @QueryEndpoint({
    on: 'batch',
    summary: 'Show a batch',
    query: ReadQuery,
    answers: BatchView,
    refuses: ['BATCH_NOT_FOUND'],
  })
  getBatch({ on: batch, query: { minPosition } }: Call<unknown, ReadQuery>) {
    return this.reads.from('batches', minPosition, async () =>
      found(await this.queries.execute(new GetBatch(batch)), batch),
    );
  }

  @Get(':id/graph')
  @QueryEndpoint({
    on: 'batch',
    summary: "Show the graph of a batch's tasks",
    query: ReadQuery,
    answers: TaskGraph,
    refuses: ['BATCH_NOT_FOUND'],
  })
  getBatchGraph({ on: batch, query: { minPosition } }: Call<unknown, ReadQuery>) {
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
