import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refused } from '../../application/kernel/application-error.js';
import { SettleTasks, type SettleItem, type SettleOutcome } from '../../application/claims/settle-tasks.handler.js';
import type { Answer } from '../answer.js';
import { contextOf, type Caller } from '../caller.js';
import { SettleBatch } from '../dto/settlement.dto.js';
import { CompiledValidator } from '../input/validator.js';
import { problemOfRejection, type Problem } from '../problem.js';
import { taskId } from './parameters.js';
import { newestPosition, receiptBody, type ReceiptBody } from './receipt-answer.js';
import { settlementOf, type SettlementOperation } from './settlements.js';

export type Settlement = ReceiptBody & { readonly state: string };

export interface SettleBatchResult {
  readonly results: readonly (Settlement | { readonly problem: Problem })[];
  /** The highest of the results; null where every item was refused. */
  readonly position: string | null;
}

const batches = new CompiledValidator(SettleBatch);

/** What becomes of claimed tasks, for every transport. Arguments are as they came in: they are checked here. */
@Injectable()
export class SettlementOperations {
  constructor(private readonly commands: CommandBus) {}

  async settleTasks(body: unknown, caller: Caller): Promise<Answer<SettleBatchResult>> {
    const items = batches.of(body).items as readonly SettleItem[];
    const outcomes = await this.commands.execute(new SettleTasks(items, contextOf(caller, 'settleTasks', items)));
    return { body: { results: outcomes.map(answerOrProblem), position: newestPosition(outcomes) } };
  }

  succeedTask(id: string, body: unknown, caller: Caller): Promise<Answer<Settlement>> {
    return this.settle('succeedTask', id, body, caller);
  }

  failTask(id: string, body: unknown, caller: Caller): Promise<Answer<Settlement>> {
    return this.settle('failTask', id, body, caller);
  }

  completeStep(id: string, body: unknown, caller: Caller): Promise<Answer<Settlement>> {
    return this.settle('completeStep', id, body, caller);
  }

  reportError(id: string, body: unknown, caller: Caller): Promise<Answer<Settlement>> {
    return this.settle('reportError', id, body, caller);
  }

  returnTask(id: string, body: unknown, caller: Caller): Promise<Answer<Settlement>> {
    return this.settle('returnTask', id, body, caller);
  }

  confirmCancel(id: string, body: unknown, caller: Caller): Promise<Answer<Settlement>> {
    return this.settle('confirmCancel', id, body, caller);
  }

  private async settle(
    operation: SettlementOperation,
    id: string,
    body: unknown,
    caller: Caller,
  ): Promise<Answer<Settlement>> {
    const item = settlementOf(operation, taskId(id), body);
    const context = contextOf(caller, item.verdict.type, item);
    const [outcome] = await this.commands.execute(new SettleTasks([item], context));
    if (outcome!.kind === 'refused') throw new Refused(outcome!.rejection);
    return { body: answerOf(outcome!) };
  }
}

const answerOf = ({ receipt, state }: Extract<SettleOutcome, { readonly kind: 'done' }>): Settlement => ({
  ...receiptBody(receipt),
  state,
});

const answerOrProblem = (outcome: SettleOutcome): Settlement | { problem: Problem } =>
  outcome.kind === 'done' ? answerOf(outcome) : { problem: problemOfRejection(outcome.rejection) };
