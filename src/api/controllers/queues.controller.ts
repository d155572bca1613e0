import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Caller } from '../caller.js';
import { PolicyChange, QueuePolicy } from '../dto/policy.dto.js';
import { PageQuery, ReadQuery } from '../dto/query.dto.js';
import {
  DefinitionReceipt,
  PauseQueueRequest,
  QueueDefinition,
  QueueList,
  QueueStats,
  QueueView,
} from '../dto/queue.dto.js';
import { ReasonRequest } from '../dto/reason.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import { QueryEndpoint, CommandEndpoint } from '../http/endpoint.js';
import { RequestCaller } from '../http/parameters.js';
import { QueueOperations } from '../operations/queue.operations.js';

const POLICY_REFUSALS = [
  'KEY_FAILURE_NEEDS_LINE',
  'SCHEDULE_INVALID',
  'AWAITED_QUEUE_NOT_FOUND',
  'QUEUES_WAIT_IN_CYCLE',
] as const;
const REFUSES = ['QUEUE_NOT_FOUND', 'QUEUE_ILLEGAL_TRANSITION'] as const;

@ApiTags('queues')
@Controller('v1/queues')
export class QueuesController {
  constructor(private readonly queues: QueueOperations) {}

  @Put(':queue')
  @ApiBody({ type: QueueDefinition, required: false })
  @CommandEndpoint({
    summary: 'Define a queue',
    description:
      'Makes the queue. One that stands is kept as it is, whoever changed it since, and the answer says what it is; ' +
      '`replace` changes it to this definition.',
    answers: DefinitionReceipt,
    creates: true,
    refuses: ['PRESET_NOT_FOUND', ...POLICY_REFUSALS],
  })
  defineQueue(@Param('queue') queue: string, @Body() body: QueueDefinition, @RequestCaller() caller: Caller) {
    return this.queues.defineQueue(queue, body, caller);
  }

  @Get()
  @QueryEndpoint({ summary: 'List the queues', description: 'By name.', answers: QueueList })
  listQueues(@Query() query: PageQuery) {
    return this.queues.listQueues(query);
  }

  @Get(':queue')
  @QueryEndpoint({ summary: 'Show a queue', answers: QueueView, refuses: ['QUEUE_NOT_FOUND'] })
  getQueue(@Param('queue') queue: string, @Query() query: ReadQuery) {
    return this.queues.getQueue(queue, query);
  }

  @Delete(':queue')
  @CommandEndpoint({
    summary: 'Delete a queue without open tasks',
    answers: Receipt,
    refuses: [...REFUSES, 'QUEUE_NOT_EMPTY', 'QUEUE_AWAITED'],
  })
  deleteQueue(@Param('queue') queue: string, @Query() query: ReasonRequest, @RequestCaller() caller: Caller) {
    return this.queues.deleteQueue(queue, query, caller);
  }

  @Get(':queue/policy')
  @QueryEndpoint({
    summary: "Show a queue's policy",
    description: 'Its version is the ETag.',
    answers: QueuePolicy,
    refuses: ['QUEUE_NOT_FOUND'],
  })
  getPolicy(@Param('queue') queue: string, @Query() query: ReadQuery) {
    return this.queues.getPolicy(queue, query);
  }

  @Put(':queue/policy')
  @ApiHeader({ name: 'If-Match', required: true, description: 'The ETag of the policy as the caller knows it.' })
  @CommandEndpoint({
    summary: "Change fields of a queue's policy",
    description: 'What is left out stays as it is.',
    answers: Receipt,
    refuses: [...REFUSES, 'POLICY_VERSION_MISMATCH', 'PRECONDITION_REQUIRED', ...POLICY_REFUSALS],
  })
  changePolicy(@Param('queue') queue: string, @Body() body: PolicyChange, @RequestCaller() caller: Caller) {
    return this.queues.changePolicy(queue, body, caller);
  }

  @Post(':queue/pause')
  @ApiBody({ type: PauseQueueRequest, required: false })
  @CommandEndpoint({ summary: 'Stop handing out tasks', answers: Receipt, refuses: [...REFUSES, 'PAUSE_IN_THE_PAST'] })
  pauseQueue(@Param('queue') queue: string, @Body() body: PauseQueueRequest, @RequestCaller() caller: Caller) {
    return this.queues.pauseQueue(queue, body, caller);
  }

  @Post(':queue/resume')
  @ApiBody({ type: ReasonRequest, required: false })
  @CommandEndpoint({ summary: 'Hand out tasks again', answers: Receipt, refuses: REFUSES })
  resumeQueue(@Param('queue') queue: string, @Body() body: ReasonRequest, @RequestCaller() caller: Caller) {
    return this.queues.resumeQueue(queue, body, caller);
  }

  @Post(':queue/close-intake')
  @ApiBody({ type: ReasonRequest, required: false })
  @CommandEndpoint({ summary: 'Take no more tasks in', answers: Receipt, refuses: REFUSES })
  closeIntake(@Param('queue') queue: string, @Body() body: ReasonRequest, @RequestCaller() caller: Caller) {
    return this.queues.closeIntake(queue, body, caller);
  }

  @Post(':queue/open-intake')
  @ApiBody({ type: ReasonRequest, required: false })
  @CommandEndpoint({ summary: 'Take tasks in again', answers: Receipt, refuses: REFUSES })
  openIntake(@Param('queue') queue: string, @Body() body: ReasonRequest, @RequestCaller() caller: Caller) {
    return this.queues.openIntake(queue, body, caller);
  }

  @Post(':queue/finish')
  @ApiBody({ type: ReasonRequest, required: false })
  @CommandEndpoint({
    summary: 'End a queue whose tasks are all final',
    answers: Receipt,
    refuses: [...REFUSES, 'QUEUE_NOT_EMPTY'],
  })
  finishQueue(@Param('queue') queue: string, @Body() body: ReasonRequest, @RequestCaller() caller: Caller) {
    return this.queues.finishQueue(queue, body, caller);
  }

  @Post(':queue/reopen')
  @ApiBody({ type: ReasonRequest, required: false })
  @CommandEndpoint({ summary: 'Open a finished queue again', answers: Receipt, refuses: REFUSES })
  reopenQueue(@Param('queue') queue: string, @Body() body: ReasonRequest, @RequestCaller() caller: Caller) {
    return this.queues.reopenQueue(queue, body, caller);
  }

  @Get(':queue/stats')
  @QueryEndpoint({ summary: "Count a queue's tasks and times", answers: QueueStats, refuses: ['QUEUE_NOT_FOUND'] })
  getQueueStats(@Param('queue') queue: string, @Query() query: ReadQuery) {
    return this.queues.getQueueStats(queue, query);
  }
}
