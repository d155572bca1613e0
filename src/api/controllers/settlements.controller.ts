import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../caller.js';
import { LeaseProof } from '../dto/claim.dto.js';
import {
  Failure,
  ReportedError,
  SettleBatch,
  SettleBatchResult,
  Settlement,
  StepCompletion,
  Success,
} from '../dto/settlement.dto.js';
import { WorkerCommands } from '../http/endpoint.js';
import { RequestCaller } from '../http/parameters.js';
import { SettlementOperations } from '../operations/settlement.operations.js';

const REFUSES = ['TASK_NOT_FOUND', 'ILLEGAL_TRANSITION', 'LEASE_LOST', 'EVENT_TOO_LARGE'] as const;

@ApiTags('workers')
@Controller('v1')
export class SettlementsController {
  constructor(private readonly settlements: SettlementOperations) {}

  @Post('tasks/:id/succeed')
  @WorkerCommands({ summary: 'The task is done', answers: Settlement, refuses: REFUSES })
  succeedTask(@Param('id') id: string, @Body() body: Success, @RequestCaller() caller: Caller) {
    return this.settlements.succeedTask(id, body, caller);
  }

  @Post('tasks/:id/fail')
  @WorkerCommands({
    summary: 'The attempt failed',
    description: "What follows is for the queue's policy to say.",
    answers: Settlement,
    refuses: REFUSES,
  })
  failTask(@Param('id') id: string, @Body() body: Failure, @RequestCaller() caller: Caller) {
    return this.settlements.failTask(id, body, caller);
  }

  @Post('tasks/:id/complete-step')
  @WorkerCommands({
    summary: 'A step is done',
    answers: Settlement,
    refuses: [...REFUSES, 'STEP_UNKNOWN', 'STEP_OUT_OF_ORDER'],
  })
  completeStep(@Param('id') id: string, @Body() body: StepCompletion, @RequestCaller() caller: Caller) {
    return this.settlements.completeStep(id, body, caller);
  }

  @Post('tasks/:id/report-error')
  @WorkerCommands({ summary: 'An error was met, and the worker goes on', answers: Settlement, refuses: REFUSES })
  reportError(@Param('id') id: string, @Body() body: ReportedError, @RequestCaller() caller: Caller) {
    return this.settlements.reportError(id, body, caller);
  }

  @Post('tasks/:id/return')
  @WorkerCommands({
    summary: 'Return a task that was not begun',
    description: 'No attempt is spent.',
    answers: Settlement,
    refuses: REFUSES,
  })
  returnTask(@Param('id') id: string, @Body() body: LeaseProof, @RequestCaller() caller: Caller) {
    return this.settlements.returnTask(id, body, caller);
  }

  @Post('tasks/:id/confirm-cancel')
  @WorkerCommands({
    summary: 'Stopped, as was asked',
    answers: Settlement,
    refuses: [...REFUSES, 'CANCEL_NOT_REQUESTED'],
  })
  confirmCancel(@Param('id') id: string, @Body() body: LeaseProof, @RequestCaller() caller: Caller) {
    return this.settlements.confirmCancel(id, body, caller);
  }

  @Post('settlements')
  @WorkerCommands({
    summary: 'Settle up to 1000 tasks',
    description: 'One result each, in their order. A refused item carries its problem and touches no other.',
    answers: SettleBatchResult,
  })
  settleTasks(@Body() body: SettleBatch, @RequestCaller() caller: Caller) {
    return this.settlements.settleTasks(body, caller);
  }
}
