import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { StartBulkOperation } from '../../application/bulk-operations/start-bulk-operation.handler.js';
import { Refused } from '../../application/kernel/application-error.js';
import { Clock } from '../../application/kernel/clock.port.js';
import type { CommandContext, Receipt } from '../../application/kernel/command-context.js';
import { StartQueueDeletion } from '../../application/queue-deletions/start-queue-deletion.handler.js';
import { GetQueueOutlook } from '../../projections/queue-deletions/queue-deletions.queries.js';
import { CountTasks, GetOperation, ListOperations } from '../../projections/tasks/tasks.queries.js';
import { StartUndo } from '../../application/bulk-operations/start-undo.handler.js';
import { BulkOperationRequest, StartedBulkOperation, UndoRequest } from '../dto/bulk-operation.dto.js';
import type { OperationPreview } from '../dto/operation-preview.dto.js';
import { ReadQuery } from '../dto/query.dto.js';
import { OperationDetails, OperationPage, OperationQuery } from '../dto/operation-view.dto.js';
import { CommandEndpoint, QueryEndpoint } from '../http/endpoint.js';
import type { Answer } from '../operations/answer.js';
import { BulkPreviews } from '../operations/bulk-previews.js';
import { bulkOrder, isForTasks, queueDeletionOrder, SEARCHED_IN } from '../operations/bulk-operation.js';
import { type Call, contextOf } from '../operations/call.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { asReadProblem } from '../operations/past-reads.js';
import { Reads } from '../operations/reads.js';
import { queuesOfSearch } from '../operations/search.js';
import { withReason } from '../operations/steps.js';
import { filterOf } from '../operations/task-filter.js';
import { renameIn } from '../operations/queue-ids.js';

@ApiTags('tasks')
@Controller('v1/operations')
export class BulkOperationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly reads: Reads,
    private readonly previews: BulkPreviews,
    private readonly clock: Clock,
  ) {}

  @Post()
  @CommandEndpoint({
    permission: 'operate',
    // It has an own one, which decides many tasks.
    preview: false,
    queues: ({ body }: Call<BulkOperationRequest>) => [
      ...queuesOfSearch(body.filter ?? {}),
      ...(body.again?.queue === undefined ? [] : [body.again.queue]),
    ],
    renameQueues: ({ body }: Call<BulkOperationRequest>, name) => renameIn([body.filter, body.again], name),
    summary: 'Give a command to many tasks, or delete a queue with its tasks',
    description:
      'The operation is a task of the queue `waybill.operations` or `waybill.queue-deletions`, with progress and a result that counts the refusals. Cancel that task to stop it. A deletion that cannot be finished fails; retry its task to go on.',
    body: BulkOperationRequest,
    answers: StartedBulkOperation,
    refuses: [
      'QUEUE_NOT_FOUND',
      'NO_TASK_MATCHES',
      'DRAINING',
      'INTAKE_CLOSED',
      'QUEUE_FINISHED',
      'QUEUE_RESERVED',
      'QUEUE_AWAITED',
      'TASK_AWAITED',
      'HISTORY_NOT_READY',
      'READ_TOO_LONG',
    ],
  })
  async startBulkOperation(call: Call<BulkOperationRequest>): Promise<Answer<StartedBulkOperation>> {
    const { receipt, ...counted } = await this.started(call.body, withReason(call, contextOf(call)));
    if (!receipt) return { body: { ...counted, id: null, position: null } };
    const { id, position, replayed } = receipt;
    return { body: { ...counted, id, position }, replayed };
  }

  @Get()
  @QueryEndpoint({
    summary: 'List the commands for many tasks',
    onlyPresent: 'it says what has become of the tasks since',
    description: 'The newest first, with what became of each. An API key needs to be for all queues.',
    query: OperationQuery,
    answers: OperationPage,
    refuses: ['STREAM_UNREADABLE'],
  })
  listBulkOperations({ query }: Call<unknown, OperationQuery>) {
    const { minPosition, cursor = null, limit = PAGE, ...filter } = query;
    return this.reads.from('tasks', minPosition, () =>
      this.queries.execute(new ListOperations(filter, cursor, limit)).catch(asInvalidInput),
    );
  }

  @Post(':id/undo')
  @CommandEndpoint({
    permission: 'operate',
    // It has an own one, as all operations.
    preview: false,
    on: 'task',
    summary: 'Undo a command for many tasks',
    description:
      'Each task that nothing has changed since is again what it was before the operation, which must have ended; a task that ran waits. What workers did is not undone. The undo is an operation, of which there is one: the second request answers with the first. To undo an undo gives the command again.',
    body: UndoRequest,
    answers: StartedBulkOperation,
    refuses: [
      'TASK_NOT_FOUND',
      'OPERATION_UNDER_WAY',
      'OPERATION_NOT_UNDOABLE',
      'TASK_ERASED',
      'NO_TASK_MATCHES',
      'DRAINING',
      'INTAKE_CLOSED',
      'QUEUE_FINISHED',
      'STREAM_UNREADABLE',
    ],
  })
  async undoBulkOperation(call: Call<UndoRequest>): Promise<Answer<StartedBulkOperation>> {
    const { on: id, body } = call;
    const context = withReason(call, contextOf(call));
    const isPreview = body.preview === true;
    const { receipt, count } = await this.commands.execute(new StartUndo(id, isPreview, context));
    if (receipt) return { body: { count, id: receipt.id, position: receipt.position }, replayed: receipt.replayed };
    return { body: { count, id: null, position: null, preview: await this.previews.ofUndo(id, context) } };
  }

  @Get(':id')
  @QueryEndpoint({
    on: 'task',
    summary: 'Show a command for many tasks',
    onlyPresent: 'it says what has become of the tasks since',
    description: 'With what became of the tasks that have the command since.',
    query: ReadQuery,
    answers: OperationDetails,
    refuses: ['TASK_NOT_FOUND', 'STREAM_UNREADABLE'],
  })
  getBulkOperation({ on: id, query: { minPosition } }: Call<unknown, ReadQuery>) {
    return this.reads.from('tasks', minPosition, async () => {
      const view = await this.queries.execute(new GetOperation(id));
      if (view === null) throw new Refused({ code: 'TASK_NOT_FOUND' });
      return view;
    });
  }

  private async started(request: BulkOperationRequest, context: CommandContext): Promise<Started> {
    const isPreview = request.preview === true || request.preview === 'decided';
    if (isForTasks(request)) {
      const order = bulkOrder(request, this.clock.now());
      const selection = order.tasks ? { tasks: order.tasks } : filterOf(order.filter ?? {}, SEARCHED_IN);
      const count = () => this.queries.execute(new CountTasks(selection)).catch(asReadProblem(SEARCHED_IN));
      const fewest = order.tasks?.length ?? 1;
      const model = order.filter?.['group'] === undefined ? 'tasks' : 'failure-groups';
      const matching = await this.reads.found(model, count, (found) => found >= fewest);
      await this.previews.assertNamed(order.asPreviewed);
      const started = await this.commands.execute(new StartBulkOperation(order, matching, isPreview, context));
      return request.preview === 'decided' ? { ...started, preview: await this.previews.of(order, context) } : started;
    }
    const order = queueDeletionOrder(request);
    const outlook = await this.queries.execute(new GetQueueOutlook(order.queue));
    return this.commands.execute(new StartQueueDeletion(order, outlook, isPreview, context));
  }
}

/** `running`: of the deletion of a queue. */
interface Started {
  readonly count: number;
  readonly running?: number;
  readonly preview?: OperationPreview;
  readonly receipt: Receipt | null;
}
