import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { RunTaskAgain } from '../../application/tasks/run-task-again.handler.js';
import { defined } from '../../domain/kernel/defined.js';
import type { Json } from '../../domain/kernel/json.js';
import { Limits } from '../dto/limits.js';
import { RunAgainFields } from '../dto/run-again.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import { CommandEndpoint } from '../http/endpoint.js';
import { Closed, Text } from '../input/fields.js';
import { type Call, contextOf } from '../operations/call.js';
import { receiptAnswer } from '../operations/outcomes.js';
import { renameIn } from '../operations/queue-ids.js';
import { withReason } from '../operations/steps.js';
import { SUBMISSION_REFUSALS } from '../operations/submission.js';

@Closed()
class RunAgainRequest extends RunAgainFields {
  @Text({ max: Limits.reason, example: 'The letters of Monday were blank' })
  reason!: string;
}

/** Tasks that run others again. */
@ApiTags('tasks')
@Controller('v1')
export class RepetitionsController {
  constructor(private readonly commands: CommandBus) {}

  @Post('tasks/:id/run-again')
  @CommandEndpoint({
    on: 'task',
    permission: 'operate',
    queues: ({ body }: Call<RunAgainRequest>) => [body.queue],
    renameQueues: ({ body }: Call<RunAgainRequest>, name) => renameIn([body], name),
    submits: () => 1,
    summary: 'Run an ended task again, as a new task',
    description:
      'Also one that succeeded. The first run keeps its record. The new task has its kind, key, reference, labels and priority, and names it (`rerunOf`). It waits for nothing, is due at once, and belongs to no batch. If the first run has failed, the success of the new task supersedes it.',
    body: RunAgainRequest,
    answers: Receipt,
    creates: true,
    refuses: [
      'TASK_NOT_FOUND',
      'TASK_NOT_ENDED',
      'TASK_NOT_REPEATABLE',
      'TASK_ERASED',
      ...SUBMISSION_REFUSALS,
      'STEP_NOT_RESUMABLE',
      'KEY_ALREADY_WAITING',
      'CRON_INVALID',
    ],
  })
  async runTaskAgain(call: Call<RunAgainRequest>) {
    const { payload, fromStep, queue } = call.body;
    const order = defined({ payload: payload as Json, fromStep, queue });
    const context = withReason(call, contextOf(call));
    const receipt = await this.commands.execute(new RunTaskAgain(call.on, order, context));
    return { ...receiptAnswer(receipt), created: `/v1/tasks/${receipt.id}` };
  }
}
