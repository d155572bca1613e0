import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { EnqueueTasks } from '../../application/tasks/enqueue-tasks.handler.js';
import type { Step } from '../../application/transactions/run-transaction.handler.js';
import { EnqueueResult, EnqueueMany, EnqueueManyResult, TaskSubmission } from '../dto/submission.dto.js';
import { CommandEndpoint } from '../http/endpoint.js';
import { type Call, contextOf } from '../operations/call.js';
import { enqueueResults } from '../operations/outcomes.js';
import { SUBMISSION_REFUSALS, submissionItem } from '../operations/submission.js';
import { renameIn } from '../operations/queue-ids.js';

@ApiTags('tasks')
@Controller('v1')
export class SubmissionsController {
  constructor(private readonly commands: CommandBus) {}

  @Post('queues/:queue/tasks')
  @CommandEndpoint({
    on: 'queue',
    permission: 'enqueue',
    names: ({ body }: Call<TaskSubmission>) => [body],
    submits: () => 1,
    idempotency: 'either',
    transaction: true,
    preview: true,
    hot: true,
    summary: 'Enqueue a task',
    description: 'Repeating a submission with the same id has no further effect.',
    body: TaskSubmission,
    answers: EnqueueResult,
    creates: true,
    refuses: [
      ...SUBMISSION_REFUSALS,
      'KEY_ALREADY_WAITING',
      'PREREQUISITE_NOT_FOUND',
      'PREREQUISITE_DEAD',
      'PREREQUISITE_CYCLE',
      'GRAPH_TOO_LARGE',
      'BATCH_NOT_FOUND',
      'BATCH_ENDED',
      'CRON_INVALID',
    ],
  })
  enqueueTask({ on: queue, body }: Call<TaskSubmission>): Extract<Step, { readonly kind: 'enqueue' }> {
    return { kind: 'enqueue', item: submissionItem(queue, body, '') };
  }

  @Post('tasks/batch')
  @CommandEndpoint({
    permission: 'enqueue',
    idempotency: 'either',
    hot: true,
    summary: 'Enqueue up to 1000 tasks',
    queues: ({ body }: Call<EnqueueMany>) => body.tasks.map(({ queue }) => queue),
    names: ({ body }: Call<EnqueueMany>) => body.tasks,
    submits: ({ body }: Call<EnqueueMany>) => body.tasks.length,
    renameQueues: ({ body }: Call<EnqueueMany>, name) => renameIn(body.tasks, name),
    description:
      'Returns one result per item, in order. A refused item has its problem and does not affect the others.',
    body: EnqueueMany,
    answers: EnqueueManyResult,
  })
  async enqueueTasks(call: Call<EnqueueMany>) {
    const items = call.body.tasks.map((task, at) => submissionItem(task.queue, task, `/tasks/${at}`));
    const outcomes = await this.commands.execute(new EnqueueTasks(items, contextOf(call)));
    const replayed = outcomes.some((outcome) => outcome.kind === 'done' && outcome.receipt.replayed);
    return { body: enqueueResults(items, outcomes), replayed };
  }
}
