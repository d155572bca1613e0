import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Caller } from '../caller.js';
import { PolicyChange, QueuePolicy } from '../dto/policy.dto.js';
import { PageQuery, ReadQuery } from '../dto/query.dto.js';
import { DefinitionReceipt, PauseWish, QueueDefinition, QueueList, QueueStats, QueueView } from '../dto/queue.dto.js';
import { ReasonGiven } from '../dto/reason.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import { Asks, Commands } from '../http/endpoint.js';
import { From } from '../http/parameters.js';
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
  @Commands({
    summary: 'Define a queue',
    description:
      'Makes the queue. One that stands is kept as it is, whoever changed it since, and the answer says what it is; ' +
      '`replace` changes it to this definition.',
    answers: DefinitionReceipt,
    creates: true,
    refuses: ['PRESET_NOT_FOUND', ...POLICY_REFUSALS],
  })
  defineQueue(@Param('queue') queue: string, @Body() body: QueueDefinition, @From() caller: Caller) {
    return this.queues.defineQueue(queue, body, caller);
  }

  @Get()
  @Asks({ summary: 'List the queues', description: 'By name.', answers: QueueList })
  listQueues(@Query() query: PageQuery) {
    return this.queues.listQueues(query);
  }

  @Get(':queue')
  @Asks({ summary: 'Show a queue', answers: QueueView, refuses: ['QUEUE_NOT_FOUND'] })
  getQueue(@Param('queue') queue: string, @Query() query: ReadQuery) {
    return this.queues.getQueue(queue, query);
  }

  @Delete(':queue')
  @Commands({
    summary: 'Delete a queue without open tasks',
    answers: Receipt,
    refuses: [...REFUSES, 'QUEUE_NOT_EMPTY', 'QUEUE_AWAITED'],
  })
  deleteQueue(@Param('queue') queue: string, @Query() query: ReasonGiven, @From() caller: Caller) {
    return this.queues.deleteQueue(queue, query, caller);
  }

  @Get(':queue/policy')
  @Asks({
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
  @Commands({
    summary: "Change fields of a queue's policy",
    description: 'What is left out stays as it is.',
    answers: Receipt,
    refuses: [...REFUSES, 'POLICY_VERSION_MISMATCH', 'PRECONDITION_REQUIRED', ...POLICY_REFUSALS],
  })
  changePolicy(@Param('queue') queue: string, @Body() body: PolicyChange, @From() caller: Caller) {
    return this.queues.changePolicy(queue, body, caller);
  }

  @Post(':queue/pause')
  @ApiBody({ type: PauseWish, required: false })
  @Commands({ summary: 'Stop handing out tasks', answers: Receipt, refuses: [...REFUSES, 'PAUSE_IN_THE_PAST'] })
  pauseQueue(@Param('queue') queue: string, @Body() body: PauseWish, @From() caller: Caller) {
    return this.queues.pauseQueue(queue, body, caller);
  }

  @Post(':queue/resume')
  @ApiBody({ type: ReasonGiven, required: false })
  @Commands({ summary: 'Hand out tasks again', answers: Receipt, refuses: REFUSES })
  resumeQueue(@Param('queue') queue: string, @Body() body: ReasonGiven, @From() caller: Caller) {
    return this.queues.resumeQueue(queue, body, caller);
  }

  @Post(':queue/close-intake')
  @ApiBody({ type: ReasonGiven, required: false })
  @Commands({ summary: 'Take no more tasks in', answers: Receipt, refuses: REFUSES })
  closeIntake(@Param('queue') queue: string, @Body() body: ReasonGiven, @From() caller: Caller) {
    return this.queues.closeIntake(queue, body, caller);
  }

  @Post(':queue/open-intake')
  @ApiBody({ type: ReasonGiven, required: false })
  @Commands({ summary: 'Take tasks in again', answers: Receipt, refuses: REFUSES })
  openIntake(@Param('queue') queue: string, @Body() body: ReasonGiven, @From() caller: Caller) {
    return this.queues.openIntake(queue, body, caller);
  }

  @Post(':queue/finish')
  @ApiBody({ type: ReasonGiven, required: false })
  @Commands({
    summary: 'End a queue whose tasks are all final',
    answers: Receipt,
    refuses: [...REFUSES, 'QUEUE_NOT_EMPTY'],
  })
  finishQueue(@Param('queue') queue: string, @Body() body: ReasonGiven, @From() caller: Caller) {
    return this.queues.finishQueue(queue, body, caller);
  }

  @Post(':queue/reopen')
  @ApiBody({ type: ReasonGiven, required: false })
  @Commands({ summary: 'Open a finished queue again', answers: Receipt, refuses: REFUSES })
  reopenQueue(@Param('queue') queue: string, @Body() body: ReasonGiven, @From() caller: Caller) {
    return this.queues.reopenQueue(queue, body, caller);
  }

  @Get(':queue/stats')
  @Asks({ summary: "Count a queue's tasks and times", answers: QueueStats, refuses: ['QUEUE_NOT_FOUND'] })
  getQueueStats(@Param('queue') queue: string, @Query() query: ReadQuery) {
    return this.queues.getQueueStats(queue, query);
  }
}
