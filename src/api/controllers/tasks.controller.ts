import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Caller } from '../caller.js';
import { EventList } from '../dto/event.dto.js';
import { DeletionQuery, PageQuery, ReadQuery, TaskQuery } from '../dto/query.dto.js';
import { ReasonGiven } from '../dto/reason.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import {
  Amendment,
  Overruling,
  Reprioritisation,
  Rescheduling,
  RetryWish,
  TaskDecision,
  TaskDetails,
  TaskPage,
} from '../dto/task.dto.js';
import { TaskExplanation } from '../dto/explanation.dto.js';
import { Asks, Commands } from '../http/endpoint.js';
import { From } from '../http/parameters.js';
import { TaskListOperations } from '../operations/task-list.operations.js';
import { TaskOperations } from '../operations/task.operations.js';

const REFUSES = ['TASK_NOT_FOUND', 'ILLEGAL_TRANSITION', 'COMMAND_NOT_OFFERED'] as const;

@ApiTags('tasks')
@Controller('v1')
export class TasksController {
  constructor(
    private readonly tasks: TaskOperations,
    private readonly lists: TaskListOperations,
  ) {}

  @Get('tasks')
  @Asks({
    summary: 'List tasks',
    description: 'In the order they were submitted; failed ones latest failure first.',
    answers: TaskPage,
    refuses: ['QUEUE_NOT_FOUND'],
  })
  listTasks(@Query() query: TaskQuery) {
    return this.lists.listTasks(query);
  }

  @Get('queues/:queue/failed')
  @Asks({
    summary: "List a queue's failed tasks",
    description: 'Latest failure first.',
    answers: TaskPage,
    refuses: ['QUEUE_NOT_FOUND'],
  })
  listFailedTasks(@Param('queue') queue: string, @Query() query: PageQuery) {
    return this.lists.listFailedTasks(queue, query);
  }

  @Get('tasks/:id')
  @Asks({ summary: 'Show a task', answers: TaskDetails, refuses: ['TASK_NOT_FOUND'] })
  getTask(@Param('id') id: string, @Query() query: ReadQuery) {
    return this.tasks.getTask(id, query);
  }

  @Get('tasks/:id/why')
  @Asks({
    summary: 'Explain why a task is not running',
    description: 'By what a claim looks at; every reason at once.',
    answers: TaskExplanation,
    refuses: ['TASK_NOT_FOUND'],
  })
  getTaskExplanation(@Param('id') id: string, @Query() query: ReadQuery) {
    return this.tasks.getTaskExplanation(id, query);
  }

  @Get('tasks/:id/history')
  @Asks({ summary: 'Show everything that happened to a task', answers: EventList, refuses: ['TASK_NOT_FOUND'] })
  getTaskHistory(@Param('id') id: string, @Query() query: ReadQuery) {
    return this.tasks.getTaskHistory(id, query);
  }

  @Post('tasks/:id/submit')
  @ApiBody({ type: ReasonGiven, required: false })
  @Commands({
    summary: 'Offer a prepared task to workers',
    answers: Receipt,
    refuses: [...REFUSES, 'KEY_ALREADY_WAITING'],
  })
  submitTask(@Param('id') id: string, @Body() body: ReasonGiven, @From() caller: Caller) {
    return this.tasks.submitTask(id, body, caller);
  }

  @Post('tasks/:id/hold')
  @ApiBody({ type: ReasonGiven, required: false })
  @Commands({
    summary: 'Keep a task back',
    description: 'A running one is asked to stop first.',
    answers: Receipt,
    refuses: REFUSES,
  })
  holdTask(@Param('id') id: string, @Body() body: ReasonGiven, @From() caller: Caller) {
    return this.tasks.holdTask(id, body, caller);
  }

  @Post('tasks/:id/release')
  @ApiBody({ type: ReasonGiven, required: false })
  @Commands({ summary: 'Let a held task wait for a worker again', answers: Receipt, refuses: REFUSES })
  releaseTask(@Param('id') id: string, @Body() body: ReasonGiven, @From() caller: Caller) {
    return this.tasks.releaseTask(id, body, caller);
  }

  @Post('tasks/:id/retry')
  @ApiBody({ type: RetryWish, required: false })
  @Commands({
    summary: 'Put a failed or cancelled task back to work',
    answers: Receipt,
    refuses: [...REFUSES, 'FAILURE_IS_FINAL', 'KEY_ALREADY_WAITING', 'STEP_UNKNOWN', 'RETRY_STEP_NEEDS_OVERRIDE'],
  })
  retryTask(@Param('id') id: string, @Body() body: RetryWish, @From() caller: Caller) {
    return this.tasks.retryTask(id, body, caller);
  }

  @Post('tasks/:id/decide')
  @Commands({
    summary: 'Decide what becomes of an errored task',
    answers: Receipt,
    refuses: [...REFUSES, 'KEY_ALREADY_WAITING'],
  })
  decideTask(@Param('id') id: string, @Body() body: TaskDecision, @From() caller: Caller) {
    return this.tasks.decideTask(id, body, caller);
  }

  @Post('tasks/:id/cancel')
  @ApiBody({ type: ReasonGiven, required: false })
  @Commands({
    summary: 'Stop a task; it can be retried',
    description: 'A running one is asked to stop.',
    answers: Receipt,
    refuses: REFUSES,
  })
  cancelTask(@Param('id') id: string, @Body() body: ReasonGiven, @From() caller: Caller) {
    return this.tasks.cancelTask(id, body, caller);
  }

  @Post('tasks/:id/abort')
  @ApiBody({ type: ReasonGiven, required: false })
  @Commands({ summary: 'Stop a task for good, at once', answers: Receipt, refuses: REFUSES })
  abortTask(@Param('id') id: string, @Body() body: ReasonGiven, @From() caller: Caller) {
    return this.tasks.abortTask(id, body, caller);
  }

  @Post('tasks/:id/prioritise')
  @Commands({ summary: 'Change the priority of a task that does not run', answers: Receipt, refuses: REFUSES })
  prioritiseTask(@Param('id') id: string, @Body() body: Reprioritisation, @From() caller: Caller) {
    return this.tasks.prioritiseTask(id, body, caller);
  }

  @Post('tasks/:id/reschedule')
  @Commands({ summary: 'Change when a task is due', answers: Receipt, refuses: REFUSES })
  rescheduleTask(@Param('id') id: string, @Body() body: Rescheduling, @From() caller: Caller) {
    return this.tasks.rescheduleTask(id, body, caller);
  }

  @Post('tasks/:id/amend')
  @Commands({
    summary: 'Replace the payload of a task that does not run',
    answers: Receipt,
    refuses: [...REFUSES, 'PAYLOAD_TOO_LARGE'],
  })
  amendTask(@Param('id') id: string, @Body() body: Amendment, @From() caller: Caller) {
    return this.tasks.amendTask(id, body, caller);
  }

  @Post('tasks/:id/overrule')
  @Commands({
    summary: 'End a running attempt against its worker',
    description: "The worker's late report is refused.",
    answers: Receipt,
    refuses: [...REFUSES, 'REASON_REQUIRED'],
  })
  overruleTask(@Param('id') id: string, @Body() body: Overruling, @From() caller: Caller) {
    return this.tasks.overruleTask(id, body, caller);
  }

  @Delete('tasks/:id')
  @Commands({ summary: 'Delete a task', description: 'Its history stays.', answers: Receipt, refuses: REFUSES })
  deleteTask(@Param('id') id: string, @Query() query: DeletionQuery, @From() caller: Caller) {
    return this.tasks.deleteTask(id, query, caller);
  }
}
