import { Controller, Delete, Get, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Refused } from '../../application/kernel/application-error.js';
import { HistoryReader } from '../../application/history/history-reader.js';
import type { Json } from '../../domain/kernel/json.js';
import { ExplainTask } from '../../projections/task-why/explain-task.query.js';
import { GetTask, GetTaskHistory, ListTasks, type TaskFilter } from '../../projections/tasks/tasks.queries.js';
import { EventList } from '../dto/event.dto.js';
import { TaskExplanation } from '../dto/explanation.dto.js';
import { DeletionQuery, PageQuery, ReadQuery, TaskQuery } from '../dto/query.dto.js';
import { ReasonRequest } from '../dto/reason.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import {
  AmendTaskRequest,
  DecideTaskRequest,
  OverruleTaskRequest,
  PrioritiseTaskRequest,
  RescheduleTaskRequest,
  RetryTaskRequest,
  TaskDetails,
  TaskPage,
} from '../dto/task.dto.js';
import { CommandEndpoint, QueryEndpoint } from '../http/endpoint.js';
import type { Call } from '../operations/call.js';
import { explanationOf } from '../operations/explanation.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { isoTime } from '../operations/parameters.js';
import { Reads } from '../operations/reads.js';
import { onTask } from '../operations/steps.js';

/** What every command of an operator on a task has in common. */
const STEERS = { on: 'task', permission: 'operate', transaction: true, answers: Receipt } as const;
const REFUSES = ['TASK_NOT_FOUND', 'ILLEGAL_TRANSITION', 'COMMAND_NOT_OFFERED'] as const;

@ApiTags('tasks')
@Controller('v1')
export class TasksController {
  constructor(
    private readonly queries: QueryBus,
    private readonly reads: Reads,
    private readonly history: HistoryReader,
  ) {}

  @Get('tasks')
  @QueryEndpoint({
    summary: 'List tasks',
    description: 'In the order of their submission; with `state=failed`, the latest failure first.',
    query: TaskQuery,
    answers: TaskPage,
    refuses: ['QUEUE_NOT_FOUND'],
  })
  listTasks({ query: { cursor, limit, minPosition, label, ...filter } }: Call<unknown, TaskQuery>) {
    return this.page(
      { ...filter, ...(label !== undefined && { label: labelIn(label) }) },
      { cursor, limit, minPosition },
    );
  }

  @Get('queues/:queue/failed')
  @QueryEndpoint({
    on: 'queue',
    summary: "List a queue's failed tasks",
    description: 'The latest failure comes first.',
    query: PageQuery,
    answers: TaskPage,
    refuses: ['QUEUE_NOT_FOUND'],
  })
  listFailedTasks({ on: queue, query }: Call<unknown, PageQuery>) {
    return this.page({ queue, state: 'failed' }, query);
  }

  @Get('tasks/:id')
  @QueryEndpoint({
    on: 'task',
    summary: 'Show a task',
    query: ReadQuery,
    answers: TaskDetails,
    refuses: ['TASK_NOT_FOUND'],
  })
  getTask({ on: task, query: { minPosition } }: Call<unknown, ReadQuery>) {
    return this.reads.from('tasks', minPosition, async () => found(await this.queries.execute(new GetTask(task))));
  }

  @Get('tasks/:id/why')
  @QueryEndpoint({
    on: 'task',
    summary: 'Explain why a task is not running',
    description: 'Lists every reason, from the same data that a claim uses.',
    query: ReadQuery,
    answers: TaskExplanation,
    refuses: ['TASK_NOT_FOUND'],
  })
  getTaskExplanation({ on: task, query: { minPosition } }: Call<unknown, ReadQuery>) {
    return this.reads.from('tasks', minPosition, async () =>
      explanationOf(found(await this.queries.execute(new ExplainTask(task)))),
    );
  }

  @Get('tasks/:id/history')
  @QueryEndpoint({
    on: 'task',
    summary: 'Show everything that happened to a task',
    query: ReadQuery,
    answers: EventList,
    refuses: ['TASK_NOT_FOUND'],
  })
  getTaskHistory({ on: task, query: { minPosition } }: Call<unknown, ReadQuery>) {
    return this.reads.from('tasks', minPosition, async () => ({
      items: found(await this.queries.execute(new GetTaskHistory(task))),
    }));
  }

  @Post('tasks/:id/submit')
  @CommandEndpoint({
    ...STEERS,
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
    ...STEERS,
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
    ...STEERS,
    summary: 'Release a held task',
    body: ReasonRequest,
    bodyOptional: true,
    refuses: REFUSES,
  })
  releaseTask(call: Call<ReasonRequest>) {
    return onTask(call, { type: 'ReleaseTask' });
  }

  @Post('tasks/:id/retry')
  @CommandEndpoint({
    ...STEERS,
    summary: 'Retry a failed or cancelled task',
    body: RetryTaskRequest,
    bodyOptional: true,
    refuses: [...REFUSES, 'FAILURE_IS_FINAL', 'KEY_ALREADY_WAITING', 'STEP_UNKNOWN', 'RETRY_STEP_NEEDS_OVERRIDE'],
  })
  retryTask(call: Call<RetryTaskRequest>) {
    const { step = null, override = false } = call.body;
    return onTask(call, { type: 'RetryTask', step, override });
  }

  @Post('tasks/:id/decide')
  @CommandEndpoint({
    ...STEERS,
    summary: 'Decide on an undecided task',
    body: DecideTaskRequest,
    refuses: [...REFUSES, 'KEY_ALREADY_WAITING'],
  })
  decideTask(call: Call<DecideTaskRequest>) {
    return onTask(call, { type: call.body.decision === 'retry' ? 'DecideRetry' : 'DecideFail' });
  }

  @Post('tasks/:id/cancel')
  @CommandEndpoint({
    ...STEERS,
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
    ...STEERS,
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
    ...STEERS,
    summary: 'Change the priority of a task that is not running',
    body: PrioritiseTaskRequest,
    refuses: REFUSES,
  })
  prioritiseTask(call: Call<PrioritiseTaskRequest>) {
    return onTask(call, { type: 'ReprioritiseTask', priority: call.body.priority });
  }

  @Post('tasks/:id/reschedule')
  @CommandEndpoint({
    ...STEERS,
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
    ...STEERS,
    summary: 'Replace the payload of a task that is not running',
    body: AmendTaskRequest,
    refuses: [...REFUSES, 'PAYLOAD_TOO_LARGE'],
  })
  amendTask(call: Call<AmendTaskRequest>) {
    return onTask(call, { type: 'AmendPayload', payload: call.body.payload as Json });
  }

  @Post('tasks/:id/overrule')
  @CommandEndpoint({
    ...STEERS,
    summary: 'End a running attempt, whatever its worker reports',
    description: 'Later reports of the worker are refused.',
    body: OverruleTaskRequest,
    refuses: [...REFUSES, 'REASON_REQUIRED'],
  })
  overruleTask(call: Call<OverruleTaskRequest>) {
    const { verdict, reason } = call.body;
    return onTask(call, { type: 'OverruleTask', verdict, reason });
  }

  @Delete('tasks/:id')
  @CommandEndpoint({
    ...STEERS,
    summary: 'Delete a task',
    description: 'The history of the task stays.',
    query: DeletionQuery,
    refuses: REFUSES,
  })
  deleteTask(call: Call<unknown, DeletionQuery>) {
    return onTask(call, { type: 'DeleteTask', force: call.query.force ?? false });
  }

  private page(filter: TaskFilter, { cursor = null, limit = PAGE, minPosition }: Pages) {
    return this.reads.from('tasks', minPosition, async () => {
      const page = await this.queries.execute(new ListTasks(filter, cursor, limit)).catch(asInvalidInput);
      // Only an empty list can be that of a queue that never was.
      if (page.items.length === 0 && filter.queue !== undefined) await this.history.assertThere(filter);
      return page;
    });
  }
}

type Pages = Pick<PageQuery, 'minPosition' | 'limit'> & { readonly cursor?: string | null };

function found<T>(view: T | null): T {
  if (view === null) throw new Refused({ code: 'TASK_NOT_FOUND' });
  return view;
}

/** The name ends at the first colon. */
function labelIn(text: string): { name: string; value: string } {
  const colon = text.indexOf(':');
  return { name: text.slice(0, colon), value: text.slice(colon + 1) };
}
