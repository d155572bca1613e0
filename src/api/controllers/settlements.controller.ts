import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LeaseProof } from '../dto/claim.dto.js';
import {
  DataRecord,
  Failure,
  OwnCancellation,
  ReportedError,
  Return,
  SettleMany,
  SettleManyResult,
  Settlement,
  StepCompletion,
  Success,
  WaitRequest,
} from '../dto/settlement.dto.js';
import { WorkerEndpoint } from '../http/endpoint.js';
import { storableAt } from '../input/storable.js';
import type { Call } from '../operations/call.js';
import { Settling } from '../operations/settling.js';
import { settlement } from '../operations/steps.js';

const REFUSES = ['TASK_NOT_FOUND', 'ILLEGAL_TRANSITION', 'LEASE_LOST', 'EVENT_TOO_LARGE'] as const;
const REPORTS = [...REFUSES, 'PAYLOAD_TOO_LARGE'] as const;
const SETTLES = {
  on: 'task',
  leased: true,
  transaction: true,
  hot: true,
  answers: Settlement,
  refuses: REFUSES,
} as const;

@ApiTags('workers')
@Controller('v1')
export class SettlementsController {
  constructor(private readonly settling: Settling) {}

  @Post('tasks/:id/succeed')
  @WorkerEndpoint({ ...SETTLES, summary: 'Report that the task succeeded', body: Success, refuses: REPORTS })
  succeedTask(call: Call<Success>) {
    return settlement(call, 'succeed');
  }

  @Post('tasks/:id/fail')
  @WorkerEndpoint({
    ...SETTLES,
    summary: 'Report that the attempt failed',
    description: "The queue's policy decides what follows.",
    body: Failure,
    mends: storableAt('error'),
    refuses: REPORTS,
  })
  failTask(call: Call<Failure>) {
    return settlement(call, 'fail');
  }

  @Post('tasks/:id/complete-step')
  @WorkerEndpoint({
    ...SETTLES,
    summary: 'Report that a step is completed',
    body: StepCompletion,
    refuses: [...REPORTS, 'STEP_UNKNOWN', 'STEP_OUT_OF_ORDER', 'HISTORY_FULL', 'DATA_TOO_LARGE', 'PRIORITY_NOT_TAKEN'],
  })
  completeStep(call: Call<StepCompletion>) {
    return settlement(call, 'completeStep');
  }

  @Post('tasks/:id/record')
  @WorkerEndpoint({
    ...SETTLES,
    summary: 'Record data of the task for those who work on it next',
    body: DataRecord,
    refuses: [...REFUSES, 'DATA_TOO_LARGE', 'HISTORY_FULL'],
  })
  recordData(call: Call<DataRecord>) {
    return settlement(call, 'record');
  }

  @Post('tasks/:id/report-error')
  @WorkerEndpoint({
    ...SETTLES,
    summary: 'Report an error without ending the attempt',
    body: ReportedError,
    mends: storableAt('error'),
    refuses: [...REPORTS, 'HISTORY_FULL'],
  })
  reportError(call: Call<ReportedError>) {
    return settlement(call, 'reportError');
  }

  @Post('tasks/:id/return')
  @WorkerEndpoint({
    ...SETTLES,
    summary: 'Return a task without an outcome',
    description: 'The claim does not count as an attempt.',
    body: Return,
    refuses: [...REFUSES, 'HISTORY_FULL'],
  })
  returnTask(call: Call<Return>) {
    return settlement(call, 'return');
  }

  @Post('tasks/:id/wait')
  @WorkerEndpoint({
    ...SETTLES,
    summary: 'Wait for a signal or a time within a task',
    description:
      'If the signal is there, or the time is over, the answer says so in `waited`, and the attempt goes on. Otherwise the attempt ends, and does not count as one: when the signal comes or the time is over, the task is given out again.',
    body: WaitRequest,
    refuses: [...REFUSES, 'HISTORY_FULL'],
  })
  waitTask(call: Call<WaitRequest>) {
    return settlement(call, 'wait');
  }

  @Post('tasks/:id/confirm-cancel')
  @WorkerEndpoint({
    ...SETTLES,
    summary: 'Confirm a cancellation',
    body: LeaseProof,
    refuses: [...REFUSES, 'CANCEL_NOT_REQUESTED'],
  })
  confirmCancel(call: Call<LeaseProof>) {
    return settlement(call, 'confirmCancel');
  }

  @Post('tasks/:id/cancel-run')
  @WorkerEndpoint({
    ...SETTLES,
    summary: 'Cancel the own run of a task',
    description:
      'Ends the attempt as if somebody had cancelled the task and the worker had confirmed it. Where the queue’s preset does not offer to cancel tasks, the task is returned.',
    body: OwnCancellation,
  })
  cancelRun(call: Call<OwnCancellation>) {
    return settlement(call, 'cancel');
  }

  @Post('settlements')
  @WorkerEndpoint({
    hot: true,
    leased: true,
    summary: 'Settle up to 1000 tasks',
    description:
      'Returns one result per item, in order. A refused item has its problem and does not affect the others.',
    body: SettleMany,
    mends: storableAt('items', '*', 'verdict', 'error'),
    answers: SettleManyResult,
  })
  async settleTasks(call: Call<SettleMany>) {
    return { body: await this.settling.settle(call) };
  }
}
