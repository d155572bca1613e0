import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Caller } from '../caller.js';
import { EventList } from '../dto/event.dto.js';
import { DeletionQuery, PageQuery, ReadQuery, TaskQuery } from '../dto/query.dto.js';
import { ReasonRequest } from '../dto/reason.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import {
  AmendTaskRequest,
  OverruleTaskRequest,
  PrioritiseTaskRequest,
  RescheduleTaskRequest,
  RetryTaskRequest,
  DecideTaskRequest,
  TaskDetails,
  TaskPage,
} from '../dto/task.dto.js';
import { TaskExplanation } from '../dto/explanation.dto.js';
import { QueryEndpoint, CommandEndpoint } from '../http/endpoint.js';
import { RequestCaller } from '../http/parameters.js';
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
  @QueryEndpoint({
    summary: 'List tasks',
    description: 'In the order they were submitted; failed ones latest failure first.',
    answers: TaskPage,
    refuses: ['QUEUE_NOT_FOUND'],
  })
  listTasks(@Query() query: TaskQuery) {
    return this.lists.listTasks(query);
  }

  @Get('queues/:queue/failed')
  @QueryEndpoint({
    summary: "List a queue's failed tasks",
    description: 'Latest failure first.',
    answers: TaskPage,
    refuses: ['QUEUE_NOT_FOUND'],
  })
  listFailedTasks(@Param('queue') queue: string, @Query() query: PageQuery) {
    return this.lists.listFailedTasks(queue, query);
  }

  @Get('tasks/:id')
  @QueryEndpoint({ summary: 'Show a task', answers: TaskDetails, refuses: ['TASK_NOT_FOUND'] })
  getTask(@Param('id') id: string, @Query() query: ReadQuery) {
    return this.tasks.getTask(id, query);
  }

  @Get('tasks/:id/why')
  @QueryEndpoint({
    summary: 'Explain why a task is not running',
    description: 'By what a claim looks at; every reason at once.',
    answers: TaskExplanation,
    refuses: ['TASK_NOT_FOUND'],
  })
  getTaskExplanation(@Param('id') id: string, @Query() query: ReadQuery) {
    return this.tasks.getTaskExplanation(id, query);
  }

  @Get('tasks/:id/history')
  @QueryEndpoint({
    summary: 'Show everything that happened to a task',
    answers: EventList,
    refuses: ['TASK_NOT_FOUND'],
  })
  getTaskHistory(@Param('id') id: string, @Query() query: ReadQuery) {
    return this.tasks.getTaskHistory(id, query);
  }

  @Post('tasks/:id/submit')
  @ApiBody({ type: ReasonRequest, required: false })
  @CommandEndpoint({
    summary: 'Offer a prepared task to workers',
    answers: Receipt,
    refuses: [...REFUSES, 'KEY_ALREADY_WAITING'],
  })
  submitTask(@Param('id') id: string, @Body() body: ReasonRequest, @RequestCaller() caller: Caller) {
    return this.tasks.submitTask(id, body, caller);
  }

  @Post('tasks/:id/hold')
  @ApiBody({ type: ReasonRequest, required: false })
  @CommandEndpoint({
    summary: 'Keep a task back',
    description: 'A running one is asked to stop first.',
    answers: Receipt,
    refuses: REFUSES,
  })
  holdTask(@Param('id') id: string, @Body() body: ReasonRequest, @RequestCaller() caller: Caller) {
    return this.tasks.holdTask(id, body, caller);
  }

  @Post('tasks/:id/release')
  @ApiBody({ type: ReasonRequest, required: false })
  @CommandEndpoint({ summary: 'Let a held task wait for a worker again', answers: Receipt, refuses: REFUSES })
  releaseTask(@Param('id') id: string, @Body() body: ReasonRequest, @RequestCaller() caller: Caller) {
    return this.tasks.releaseTask(id, body, caller);
  }

  @Post('tasks/:id/retry')
  @ApiBody({ type: RetryTaskRequest, required: false })
  @CommandEndpoint({
    summary: 'Put a failed or cancelled task back to work',
    answers: Receipt,
    refuses: [...REFUSES, 'FAILURE_IS_FINAL', 'KEY_ALREADY_WAITING', 'STEP_UNKNOWN', 'RETRY_STEP_NEEDS_OVERRIDE'],
  })
  retryTask(@Param('id') id: string, @Body() body: RetryTaskRequest, @RequestCaller() caller: Caller) {
    return this.tasks.retryTask(id, body, caller);
  }

  @Post('tasks/:id/decide')
  @CommandEndpoint({
    summary: 'Decide what becomes of an undecided task',
    answers: Receipt,
    refuses: [...REFUSES, 'KEY_ALREADY_WAITING'],
  })
  decideTask(@Param('id') id: string, @Body() body: DecideTaskRequest, @RequestCaller() caller: Caller) {
    return this.tasks.decideTask(id, body, caller);
  }

  @Post('tasks/:id/cancel')
  @ApiBody({ type: ReasonRequest, required: false })
  @CommandEndpoint({
    summary: 'Stop a task; it can be retried',
    description: 'A running one is asked to stop.',
    answers: Receipt,
    refuses: REFUSES,
  })
  cancelTask(@Param('id') id: string, @Body() body: ReasonRequest, @RequestCaller() caller: Caller) {
    return this.tasks.cancelTask(id, body, caller);
  }

  @Post('tasks/:id/abort')
  @ApiBody({ type: ReasonRequest, required: false })
  @CommandEndpoint({ summary: 'Stop a task for good, at once', answers: Receipt, refuses: REFUSES })
  abortTask(@Param('id') id: string, @Body() body: ReasonRequest, @RequestCaller() caller: Caller) {
    return this.tasks.abortTask(id, body, caller);
  }

  @Post('tasks/:id/prioritise')
  @CommandEndpoint({ summary: 'Change the priority of a task that does not run', answers: Receipt, refuses: REFUSES })
  prioritiseTask(@Param('id') id: string, @Body() body: PrioritiseTaskRequest, @RequestCaller() caller: Caller) {
    return this.tasks.prioritiseTask(id, body, caller);
  }

  @Post('tasks/:id/reschedule')
  @CommandEndpoint({ summary: 'Change when a task is due', answers: Receipt, refuses: REFUSES })
  rescheduleTask(@Param('id') id: string, @Body() body: RescheduleTaskRequest, @RequestCaller() caller: Caller) {
    return this.tasks.rescheduleTask(id, body, caller);
  }

  @Post('tasks/:id/amend')
  @CommandEndpoint({
    summary: 'Replace the payload of a task that does not run',
    answers: Receipt,
    refuses: [...REFUSES, 'PAYLOAD_TOO_LARGE'],
  })
  amendTask(@Param('id') id: string, @Body() body: AmendTaskRequest, @RequestCaller() caller: Caller) {
    return this.tasks.amendTask(id, body, caller);
  }

  @Post('tasks/:id/overrule')
  @CommandEndpoint({
    summary: 'End a running attempt against its worker',
    description: "The worker's late report is refused.",
    answers: Receipt,
    refuses: [...REFUSES, 'REASON_REQUIRED'],
  })
  overruleTask(@Param('id') id: string, @Body() body: OverruleTaskRequest, @RequestCaller() caller: Caller) {
    return this.tasks.overruleTask(id, body, caller);
  }

  @Delete('tasks/:id')
  @CommandEndpoint({ summary: 'Delete a task', description: 'Its history stays.', answers: Receipt, refuses: REFUSES })
  deleteTask(@Param('id') id: string, @Query() query: DeletionQuery, @RequestCaller() caller: Caller) {
    return this.tasks.deleteTask(id, query, caller);
  }
}
