import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refused } from '../../application/kernel/application-error.js';
import {
  SettleTasks,
  type SettleItem,
  type SettleOutcome,
  type Verdict,
} from '../../application/claims/settle-tasks.handler.js';
import type { Answer } from '../answer.js';
import { contextOf, type Caller } from '../caller.js';
import { LeaseProof } from '../dto/claim.dto.js';
import { Failure, ReportedError, SettleBatch, StepCompletion, Success } from '../dto/settlement.dto.js';
import { HotShape, Shape } from '../input/shapes.js';
import { problemOfRejection, type Problem } from '../problem.js';
import { taskId } from './parameters.js';
import { receiptBody, type ReceiptBody } from './receipt-answer.js';

export type Settlement = ReceiptBody & { readonly state: string };

const batches = new HotShape(SettleBatch);
const successes = new HotShape(Success);
const failures = new HotShape(Failure);
const steps = new Shape(StepCompletion);
const errors = new Shape(ReportedError);
const proofs = new Shape(LeaseProof);

/** What becomes of claimed tasks, for every transport. Arguments are as they came in: they are checked here. */
@Injectable()
export class SettlementOperations {
  constructor(private readonly commands: CommandBus) {}

  async settleTasks(
    body: unknown,
    caller: Caller,
  ): Promise<Answer<{ results: readonly (Settlement | { readonly problem: Problem })[] }>> {
    const items = batches.of(body).items as readonly SettleItem[];
    const outcomes = await this.commands.execute(new SettleTasks(items, contextOf(caller, 'settleTasks', items)));
    return { body: { results: outcomes.map(settlementOrProblem) } };
  }

  succeedTask(id: string, body: unknown, caller: Caller): Promise<Answer<Settlement>> {
    return this.settle('succeed', id, successes.of(body), caller);
  }

  failTask(id: string, body: unknown, caller: Caller): Promise<Answer<Settlement>> {
    return this.settle('fail', id, failures.of(body), caller);
  }

  completeStep(id: string, body: unknown, caller: Caller): Promise<Answer<Settlement>> {
    return this.settle('completeStep', id, steps.of(body), caller);
  }

  reportError(id: string, body: unknown, caller: Caller): Promise<Answer<Settlement>> {
    return this.settle('reportError', id, errors.of(body), caller);
  }

  handBackTask(id: string, body: unknown, caller: Caller): Promise<Answer<Settlement>> {
    return this.settle('handBack', id, proofs.of(body), caller);
  }

  confirmCancel(id: string, body: unknown, caller: Caller): Promise<Answer<Settlement>> {
    return this.settle('confirmCancel', id, proofs.of(body), caller);
  }

  private async settle(
    type: Verdict['type'],
    id: string,
    { token, ...facts }: { readonly token: string },
    caller: Caller,
  ): Promise<Answer<Settlement>> {
    const item: SettleItem = { taskId: taskId(id), token, verdict: { ...facts, type } as Verdict };
    const [outcome] = await this.commands.execute(new SettleTasks([item], contextOf(caller, type, item)));
    if (outcome!.kind === 'refused') throw new Refused(outcome!.rejection);
    return { body: settlementOf(outcome!) };
  }
}

const settlementOf = ({ receipt, state }: Extract<SettleOutcome, { readonly kind: 'done' }>): Settlement => ({
  ...receiptBody(receipt),
  state,
});

const settlementOrProblem = (outcome: SettleOutcome): Settlement | { problem: Problem } =>
  outcome.kind === 'done' ? settlementOf(outcome) : { problem: problemOfRejection(outcome.rejection) };
