import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RunTransaction, type Step, type StepResult } from '../../application/transactions/run-transaction.handler.js';
import type { Answer } from '../answer.js';
import { contextOf, type Caller } from '../caller.js';
import { Transaction, type TransactionCommand } from '../dto/transaction.dto.js';
import { InvalidInput } from '../input/invalid-input.js';
import { HotShape } from '../input/shapes.js';
import { submissionTo } from './enqueue.operations.js';
import { settlementOf, SETTLEMENT_OPERATIONS, type SettlementOperation } from './settlements.js';
import { TASK_COMMANDS, type TaskOperation } from './task-commands.js';

const transactions = new HotShape(Transaction);

export interface TransactionAnswer {
  readonly results: readonly StepResult[];
  readonly position: string;
}

/** Several commands as one, for every transport. Arguments are as they came in: they are checked here. */
@Injectable()
export class TransactionOperations {
  constructor(private readonly commands: CommandBus) {}

  async runTransaction(body: unknown, caller: Caller): Promise<Answer<TransactionAnswer>> {
    const steps = transactions.of(body).commands.map(stepAt);
    const context = contextOf(caller, 'runTransaction', { body });
    const { results, position, replayed } = await this.commands.execute(new RunTransaction(steps, context));
    return { body: { results, position }, replayed };
  }
}

function stepAt({ operation, queue, id, body }: TransactionCommand, index: number): Step {
  const path = `/commands/${index}`;
  if (operation === 'enqueueTask') {
    const name = given(queue, `${path}/queue`);
    return within(`${path}/body`, () => ({ kind: 'enqueue', item: submissionTo(name, body) }));
  }
  const task = given(id, `${path}/id`);
  return within(`${path}/body`, () => stepOn(operation, task, body));
}

function stepOn(operation: TaskOperation | SettlementOperation, taskId: string, body: unknown): Step {
  return isSettlement(operation)
    ? { kind: 'settle', item: settlementOf(operation, taskId, body) }
    : { kind: 'operate', taskId, command: TASK_COMMANDS[operation](taskId, body ?? {}) };
}

const isSettlement = (operation: TaskOperation | SettlementOperation): operation is SettlementOperation =>
  SETTLEMENT_OPERATIONS.some((one) => one === operation);

function given(value: string | undefined, pointer: string): string {
  if (value !== undefined) return value;
  throw new InvalidInput([{ pointer, detail: 'Expected it for this operation, but got nothing' }]);
}

/** Faults of a command's body are told where it stands in the whole. */
function within<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw new InvalidInput(
      error.faults.map(({ pointer, detail }) => ({ pointer: path + pointer.replace(/^#\/query/, ''), detail })),
    );
  }
}
