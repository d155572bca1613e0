import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RunTransaction, type Step, type StepResult } from '../../application/transactions/run-transaction.handler.js';
import type { ApiKey } from '../access/api-keys.js';
import { assertMay, permissionsFor } from '../access/permissions.js';
import type { Answer } from '../answer.js';
import { contextOf, type Caller } from '../caller.js';
import { Transaction, type TransactionCommand } from '../dto/transaction.dto.js';
import { InvalidInput } from '../input/invalid-input.js';
import { CompiledValidator } from '../input/validator.js';
import { submissionTo } from './enqueue.operations.js';
import type { OperatorCommand } from './operator-command.js';
import { policyChange, QUEUE_COMMANDS, type QueueOperation } from './queue-commands.js';
import { settlementOf, SETTLEMENT_OPERATIONS, type SettlementOperation } from './settlements.js';
import { TASK_COMMANDS, type TaskOperation } from './task-commands.js';

const transactions = new CompiledValidator(Transaction);

export interface TransactionAnswer {
  readonly results: readonly StepResult[];
  readonly position: string;
}

/** Several commands as one, for every transport. Arguments are as they came in: they are checked here. */
@Injectable()
export class TransactionOperations {
  constructor(private readonly commands: CommandBus) {}

  async runTransaction(body: unknown, caller: Caller): Promise<Answer<TransactionAnswer>> {
    const { commands } = transactions.of(body);
    if (caller.principal) assertMayAll(caller.principal, commands);
    const steps = commands.map(stepAt);
    const context = contextOf(caller, 'runTransaction', { body });
    const { results, position, replayed } = await this.commands.execute(new RunTransaction(steps, context));
    return { body: { results, position }, replayed };
  }
}

/** Each command needs what it would need by itself. */
const assertMayAll = (holder: ApiKey, commands: readonly TransactionCommand[]): void =>
  commands.forEach(({ operation }, index) => assertMay(holder, permissionsFor(operation), { index }));

type OnTask = TaskOperation | SettlementOperation;
type OnQueue = QueueOperation | 'changePolicy' | 'enqueueTask';

function stepAt({ operation, queue, id, ifVersion, body = {} }: TransactionCommand, index: number): Step {
  const path = `/commands/${index}`;
  if (operation !== 'changePolicy') assertNoVersion(ifVersion, `${path}/ifVersion`);
  if (!isOnQueue(operation)) {
    const task = given(id, `${path}/id`);
    return within(`${path}/body`, () => stepOnTask(operation, task, body));
  }
  const name = given(queue, `${path}/queue`);
  if (operation !== 'changePolicy') return within(`${path}/body`, () => stepOnQueue(operation, name, body));
  const change = within(`${path}/body`, () => policyChange(name, body));
  const seen = given(ifVersion, `${path}/ifVersion`);
  return operateOn(name, (context) => change(context)(seen));
}

const stepOnQueue = (operation: Exclude<OnQueue, 'changePolicy'>, queue: string, body: unknown): Step =>
  operation === 'enqueueTask'
    ? { kind: 'enqueue', item: submissionTo(queue, body) }
    : operateOn(queue, QUEUE_COMMANDS[operation](queue, body));

const operateOn = (queue: string, command: OperatorCommand): Step => ({ kind: 'operate', on: { queue }, command });

const stepOnTask = (operation: OnTask, task: string, body: unknown): Step =>
  isSettlement(operation)
    ? { kind: 'settle', item: settlementOf(operation, task, body) }
    : { kind: 'operate', on: { task }, command: TASK_COMMANDS[operation](task, body) };

const isOnQueue = (operation: OnTask | OnQueue): operation is OnQueue =>
  operation === 'enqueueTask' || operation === 'changePolicy' || operation in QUEUE_COMMANDS;

const isSettlement = (operation: OnTask): operation is SettlementOperation =>
  SETTLEMENT_OPERATIONS.some((one) => one === operation);

function given<T>(value: T | undefined, pointer: string): T {
  if (value !== undefined) return value;
  throw new InvalidInput([{ pointer, detail: 'Expected it for this operation, but got nothing' }]);
}

/** It would be passed over, and its sender would believe that it was heard. */
function assertNoVersion(ifVersion: number | undefined, pointer: string): void {
  if (ifVersion === undefined) return;
  throw new InvalidInput([{ pointer, detail: "Expected no version, because only 'changePolicy' asks for one" }]);
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
