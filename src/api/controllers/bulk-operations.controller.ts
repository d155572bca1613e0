import { Controller, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { StartBulkOperation } from '../../application/bulk-operations/start-bulk-operation.handler.js';
import { CountTasks } from '../../projections/tasks/tasks.queries.js';
import { BulkOperationRequest, StartedBulkOperation } from '../dto/bulk-operation.dto.js';
import { CommandEndpoint } from '../http/endpoint.js';
import type { Answer } from '../operations/answer.js';
import { bulkOrder } from '../operations/bulk-operation.js';
import { type Call, contextOf } from '../operations/call.js';
import { withReason } from '../operations/steps.js';
import { filterOf } from '../operations/task-filter.js';

@ApiTags('tasks')
@Controller('v1/operations')
export class BulkOperationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @CommandEndpoint({
    permission: 'operate',
    queues: ({ body }: Call<BulkOperationRequest>) => [body.filter?.queue],
    summary: 'Give a command to many tasks',
    description:
      'The operation is a task of the queue `waybill.operations`, with progress and a result that counts the refusals. Cancel that task to stop it.',
    body: BulkOperationRequest,
    answers: StartedBulkOperation,
    refuses: ['QUEUE_NOT_FOUND', 'NO_TASK_MATCHES', 'DRAINING', 'INTAKE_CLOSED', 'QUEUE_FINISHED'],
  })
  async startBulkOperation(call: Call<BulkOperationRequest>): Promise<Answer<StartedBulkOperation>> {
    const order = bulkOrder(call.body);
    const selection = order.tasks ? { tasks: order.tasks } : filterOf(order.filter ?? {});
    const matching = await this.queries.execute(new CountTasks(selection));
    const context = withReason(call, contextOf(call));
    const { count, receipt } = await this.commands.execute(
      new StartBulkOperation(order, matching, call.body.preview === true, context),
    );
    if (!receipt) return { body: { count, id: null, position: null } };
    const { id, position, replayed } = receipt;
    return { body: { count, id, position }, replayed };
  }
}
