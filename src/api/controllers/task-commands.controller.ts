import { Controller, Delete, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Json, JsonObject } from '../../domain/kernel/json.js';
import { knownName } from '../../domain/kernel/principal.js';
import { Limits } from '../dto/limits.js';
import { DeletionQuery } from '../dto/query.dto.js';
import { PrerequisitesRequest } from '../dto/prerequisite.dto.js';
import { ReasonRequest } from '../dto/reason.dto.js';
import { DATA, Receipt } from '../dto/settlement.dto.js';
import { CommandEndpoint } from '../http/endpoint.js';
import { AnyJson, AnyObject, Choice, Closed, Flag, Instant, Integer, Text } from '../input/fields.js';
import { mayAll } from '../access/permissions.js';
import { type Call, contextOf } from '../operations/call.js';
import { arrangementOf } from '../operations/prerequisites.js';
import { isoTime } from '../operations/iso-time.js';
import { onTask } from '../operations/steps.js';
import { InvalidInput } from '../input/invalid-input.js';

@Closed()
class PrioritiseTaskRequest extends ReasonRequest {
  @Integer({ ...Limits.priority, example: 10, description: 'Higher priorities run first, then older tasks.' })
  priority!: number;
}

@Closed()
class RescheduleTaskRequest extends ReasonRequest {
  @Instant({ nullable: true, description: 'null: the task is due now.' })
  dueAt!: string | null;
}

@Closed()
class AmendTaskRequest extends ReasonRequest {
  @AnyJson({ example: { to: 'ann@example.com' } })
  payload!: unknown;
}

@Closed()
class RetryTaskRequest extends ReasonRequest {
  @Text({ max: Limits.step, optional: true, description: 'The step to start from; if absent, the step that failed.' })
  step?: string;

  @Flag({ optional: true, description: 'Allows a step other than the next one. The history records it.' })
  override?: boolean;
}

@Closed()
class TaskDataRequest extends ReasonRequest {
  @AnyObject(DATA)
  data!: Record<string, unknown>;
}

@Closed()
class SignalTaskRequest extends ReasonRequest {
  @Text({ max: Limits.signal, example: 'approved', description: 'What the handler of the task waits for.' })
  signal!: string;

  @AnyJson({
    optional: true,
    example: { by: 'Ann', limit: 500 },
    description: 'What the handler gets; null if absent. As large as a payload of the queue may be.',
  })
  data?: unknown;
}

@Closed()
class DecideTaskRequest extends ReasonRequest {
  @Choice(['retry', 'fail'])
  decision!: 'retry' | 'fail';
}

@Closed()
class OverruleTaskRequest {
  @Choice(['succeed', 'fail', 'requeue'])
  verdict!: 'succeed' | 'fail' | 'requeue';

  @Text({ max: Limits.reason, example: 'The worker hangs; the mail was sent' })
  reason!: string;

  @AnyJson({
    optional: true,
    example: { sent: 12 },
    description: 'With `succeed`: the result of the task. With `fail`: the details of its error.',
  })
  result?: unknown;
}

/** What all operator commands on a task have in common. */
const OPERATES_TASK = { on: 'task', permission: 'operate', transaction: true, answers: Receipt } as const;
const REFUSES = ['TASK_NOT_FOUND', 'ILLEGAL_TRANSITION', 'COMMAND_NOT_OFFERED'] as const;

/** The commands that people give to tasks. */
@ApiTags('tasks')
@Controller('v1')
export class TaskCommandsController {
  @Post('tasks/:id/submit')
  @CommandEndpoint({
    ...OPERATES_TASK,
    permission: 'enqueue',
    summary: 'Submit a prepared task',
    body: ReasonRequest,
    bodyOptional: true,
    refuses: [...REFUSES, 'KEY_ALREADY_WAITING'],
  })
  submitTask(call: Call<ReasonRequest>) {
    return onTask(call, { type: 'SubmitTask' });
  }

  @Post('tasks/:id/hold')
  @CommandEndpoint({
    ...OPERATES_TASK,
    summary: 'Hold a task',
    description: 'If the task is running, its worker is told to stop first.',
    body: ReasonRequest,
    bodyOptional: true,
    refuses: REFUSES,
  })
  holdTask(call: Call<ReasonRequest>) {
    return onTask(call, { type: 'HoldTask', reason: call.body.reason ?? null });
  }

  @Post('tasks/:id/release')
  @CommandEndpoint({
    ...OPERATES_TASK,
    summary: 'Release a held task',
    body: ReasonRequest,
    bodyOptional: true,
    description:
      'That of an erasure is its approval: it needs the permission `erase`, and somebody other than who gave the order: another API key, or another person whom a trusted proxy has signed in.',
    refuses: [...REFUSES, 'HOLD_IN_FORCE', 'APPROVAL_NEEDED'],
  })
  releaseTask(call: Call<ReasonRequest>) {
    const mayErase = mayAll(call.caller.principal, 'erase');
    return onTask(call, { type: 'ReleaseTask', ...(mayErase && { approver: knownName(contextOf(call)) }) });
  }

  @Post('tasks/:id/retry')
  @CommandEndpoint({
    ...OPERATES_TASK,
    summary: 'Retry a failed or cancelled task',
    body: RetryTaskRequest,
    bodyOptional: true,
    refuses: [
      ...REFUSES,
      'RERUN_IN_BATCH',
      'FAILURE_IS_FINAL',
      'KEY_ALREADY_WAITING',
      'STEP_UNKNOWN',
      'RETRY_STEP_NEEDS_OVERRIDE',
      'STEP_NOT_RESUMABLE',
    ],
  })
  retryTask(call: Call<RetryTaskRequest>) {
    const { step = null, override = false } = call.body;
    return onTask(call, { type: 'RetryTask', step, override });
  }

  @Post('tasks/:id/decide')
  @CommandEndpoint({
    ...OPERATES_TASK,
    summary: 'Decide whether an undecided task is retried or fails',
    body: DecideTaskRequest,
    refuses: [...REFUSES, 'KEY_ALREADY_WAITING'],
  })
  decideTask(call: Call<DecideTaskRequest>) {
    return onTask(call, { type: call.body.decision === 'retry' ? 'DecideRetry' : 'DecideFail' });
  }

  @Post('tasks/:id/cancel')
  @CommandEndpoint({
    ...OPERATES_TASK,
    summary: 'Cancel a task; it can be retried',
    description: 'If the task is running, its worker is told to stop.',
    body: ReasonRequest,
    bodyOptional: true,
    refuses: REFUSES,
  })
  cancelTask(call: Call<ReasonRequest>) {
    return onTask(call, { type: 'CancelTask', reason: call.body.reason ?? null });
  }

  @Post('tasks/:id/abort')
  @CommandEndpoint({
    ...OPERATES_TASK,
    summary: 'Abort a task at once and for good',
    body: ReasonRequest,
    bodyOptional: true,
    refuses: REFUSES,
  })
  abortTask(call: Call<ReasonRequest>) {
    return onTask(call, { type: 'AbortTask', reason: call.body.reason ?? null });
  }

  @Post('tasks/:id/prioritise')
  @CommandEndpoint({
    ...OPERATES_TASK,
    summary: 'Change the priority of a task that is not running',
    body: PrioritiseTaskRequest,
    refuses: REFUSES,
  })
  prioritiseTask(call: Call<PrioritiseTaskRequest>) {
    return onTask(call, { type: 'ReprioritiseTask', priority: call.body.priority });
  }

  @Post('tasks/:id/reschedule')
  @CommandEndpoint({
    ...OPERATES_TASK,
    summary: 'Change when a task is due',
    body: RescheduleTaskRequest,
    refuses: REFUSES,
  })
  rescheduleTask(call: Call<RescheduleTaskRequest>) {
    const { dueAt } = call.body;
    return onTask(call, { type: 'RescheduleTask', dueAt: dueAt && isoTime(dueAt) });
  }

  @Post('tasks/:id/amend')
  @CommandEndpoint({
    ...OPERATES_TASK,
    summary: 'Replace the payload of a task that is not running',
    body: AmendTaskRequest,
    refuses: [...REFUSES, 'PAYLOAD_TOO_LARGE', 'PAYLOAD_INVALID', 'QUEUE_RESERVED'],
  })
  amendTask(call: Call<AmendTaskRequest>) {
    return onTask(call, { type: 'AmendPayload', payload: call.body.payload as Json });
  }

  @Put('tasks/:id/data')
  @CommandEndpoint({
    ...OPERATES_TASK,
    summary: 'Change the data of a task',
    description:
      'The data are what workers record for those who work on the task next. They can be changed in every state.',
    body: TaskDataRequest,
    refuses: [...REFUSES, 'DATA_TOO_LARGE'],
  })
  annotateTask(call: Call<TaskDataRequest>) {
    return onTask(call, { type: 'AmendData', patch: call.body.data as JsonObject });
  }

  @Post('tasks/:id/signal')
  @CommandEndpoint({
    ...OPERATES_TASK,
    summary: 'Signal a task that waits for this, or will',
    description:
      'A task that waits for the signal runs again. Otherwise the signal is kept until its handler asks for it. Without an `Idempotency-Key`, each repetition is one more signal.',
    body: SignalTaskRequest,
    refuses: [...REFUSES, 'PAYLOAD_TOO_LARGE', 'SIGNALS_FULL'],
  })
  signalTask(call: Call<SignalTaskRequest>) {
    const { signal, data = null } = call.body;
    return onTask(call, { type: 'SignalTask', signal, data: data as Json });
  }

  @Post('tasks/:id/prerequisites')
  @CommandEndpoint({
    ...OPERATES_TASK,
    summary: 'Change what a task waits for',
    names: ({ body }: Call<PrerequisitesRequest>) => [{ after: body.add }],
    description: 'Adding what the task waits for already, or waiving what it does not wait for, has no effect.',
    body: PrerequisitesRequest,
    refuses: [...REFUSES, 'PREREQUISITE_NOT_FOUND', 'PREREQUISITE_DEAD', 'PREREQUISITE_CYCLE', 'GRAPH_TOO_LARGE'],
  })
  arrangeTask(call: Call<PrerequisitesRequest>) {
    return onTask(call, { type: 'ChangePrerequisites', ...arrangementOf(call.body) });
  }

  @Post('tasks/:id/overrule')
  @CommandEndpoint({
    ...OPERATES_TASK,
    summary: 'End a running attempt, whatever its worker reports',
    description: 'Later reports of the worker are refused.',
    body: OverruleTaskRequest,
    refuses: [...REFUSES, 'REASON_REQUIRED', 'PAYLOAD_TOO_LARGE'],
  })
  overruleTask(call: Call<OverruleTaskRequest>) {
    const { verdict, reason, result } = call.body;
    if (verdict === 'requeue' && result !== undefined)
      throw new InvalidInput([{ pointer: '/result', detail: 'Expected no result of an attempt that does not count' }]);
    const given = result === undefined ? {} : { result: result as Json };
    return onTask(call, { type: 'OverruleTask', verdict, reason, ...given });
  }

  @Delete('tasks/:id')
  @CommandEndpoint({
    ...OPERATES_TASK,
    summary: 'Delete a task',
    description: 'The history of the task stays.',
    query: DeletionQuery,
    refuses: [...REFUSES, 'TASK_AWAITED'],
  })
  deleteTask(call: Call<unknown, DeletionQuery>) {
    return onTask(call, { type: 'DeleteTask', force: call.query.force ?? false });
  }
}
