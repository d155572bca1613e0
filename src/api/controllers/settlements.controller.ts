import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { type SettleItem, type SettleOutcome, SettleTasks } from '../../application/claims/settle-tasks.handler.js';
import type { Answer } from '../operations/answer.js';
import { LeaseProof } from '../dto/claim.dto.js';
import {
  DataRecord,
  Failure,
  OwnCancellation,
  ReportedError,
  Return,
  SettleBatch,
  SettleBatchResult,
  Settlement,
  StepCompletion,
  Success,
} from '../dto/settlement.dto.js';
import { WorkerEndpoint } from '../http/endpoint.js';
import { storableAt } from '../input/storable.js';
import { type Call, contextOf } from '../operations/call.js';
import { settlementResults } from '../operations/outcomes.js';
import { Scopes } from '../operations/scopes.js';
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

const NOT_FOUND: SettleOutcome = { kind: 'refused', rejection: { code: 'TASK_NOT_FOUND' } };

@ApiTags('workers')
@Controller('v1')
export class SettlementsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly scopes: Scopes,
  ) {}

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
    body: SettleBatch,
    mends: storableAt('items', '*', 'verdict', 'error'),
    answers: SettleBatchResult,
  })
  async settleTasks(call: Call<SettleBatch>): Promise<Answer<unknown>> {
    const items = call.body.items as readonly SettleItem[];
    const outcomes = await this.commands.execute(new SettleTasks(items, contextOf(call)));
    return { body: settlementResults(await this.toldOf(call, outcomes)) };
  }

  /** A refused report tells no more of a task than it does by itself. */
  private async toldOf(call: Call<SettleBatch>, outcomes: readonly SettleOutcome[]): Promise<readonly SettleOutcome[]> {
    const { items } = call.body;
    const refused = items.filter((_, at) => outcomes[at]!.kind === 'refused').map(({ taskId }) => taskId);
    const outside = await this.scopes.outside(refused, call);
    return outcomes.map((one, at) => (one.kind === 'refused' && outside.has(items[at]!.taskId) ? NOT_FOUND : one));
  }
}
