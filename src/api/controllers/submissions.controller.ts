import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../caller.js';
import { EnqueueResult, TaskBatch, TaskBatchResult, TaskSubmission } from '../dto/submission.dto.js';
import { CommandEndpoint } from '../http/endpoint.js';
import { RequestCaller } from '../http/parameters.js';
import { EnqueueOperations } from '../operations/enqueue.operations.js';

@ApiTags('tasks')
@Controller('v1')
export class SubmissionsController {
  constructor(private readonly submissions: EnqueueOperations) {}

  @Post('queues/:queue/tasks')
  @CommandEndpoint({
    summary: 'Hand in a task',
    description: 'The same submission under the same id meets itself.',
    answers: EnqueueResult,
    creates: true,
    refuses: [
      'COMMAND_NOT_OFFERED',
      'QUEUE_NOT_FOUND',
      'QUEUE_FINISHED',
      'INTAKE_CLOSED',
      'TASK_EXISTS',
      'KEY_REQUIRED',
      'KIND_NOT_TAKEN',
      'KEY_ALREADY_WAITING',
      'REFERENCE_IN_USE',
      'PAYLOAD_TOO_LARGE',
      'SCHEDULE_INVALID',
    ],
  })
  enqueueTask(@Param('queue') queue: string, @Body() body: TaskSubmission, @RequestCaller() caller: Caller) {
    return this.submissions.enqueueTask(queue, body, caller);
  }

  @Post('tasks/batch')
  @CommandEndpoint({
    summary: 'Hand in up to 1000 tasks',
    description: 'One result each, in their order. A refused item carries its problem and touches no other.',
    answers: TaskBatchResult,
  })
  enqueueTasks(@Body() body: TaskBatch, @RequestCaller() caller: Caller) {
    return this.submissions.enqueueTasks(body, caller);
  }
}
