import type { SettleItem, SettleVerdict, TransactionCommand, TransactionReceipt } from '@waybill/contracts';
import type { Caller, CommandOptions } from './caller.js';
import { assertOptions, assertOptionsInTransaction } from './call-options.js';
import type { CommandId, OptionsOf } from './given-command.js';
import { QueueCommands } from './queue-commands.js';
import { submissionOf, type EnqueueOptions } from './submissions.js';
import { TaskCommands } from './task-commands.js';

const OPERATION_OF: Readonly<Record<SettleVerdict['type'], CommandId>> = {
  succeed: 'succeedTask',
  fail: 'failTask',
  completeStep: 'completeStep',
  record: 'recordData',
  reportError: 'reportError',
  return: 'returnTask',
  wait: 'waitTask',
  confirmCancel: 'confirmCancel',
  cancel: 'cancelRun',
};

/** Collects commands that are recorded together: all or none. */
export interface Transaction {
  queue(name: string): TransactionQueue;
  task(id: string): TransactionTask;

  /** Reports the outcome of a claimed task. It has the trace of the transaction's request. */
  settle(item: SettledInTransaction): void;
}

export type SettledInTransaction = Omit<SettleItem, 'traceparent'>;

/** Runs `work`, then sends what it collected. If `work` throws, or collects nothing, nothing is sent. */
export async function runTransaction(
  caller: Caller,
  work: (tx: Transaction) => void | Promise<void>,
  options: CommandOptions = {},
): Promise<TransactionReceipt> {
  assertOptions('runTransaction', options);
  const draft = new Draft();
  await work(draft);
  const commands = draft.close();
  if (commands.length === 0) return { results: [], position: '0' };
  return caller.call('runTransaction', { body: { commands } }, options);
}

class Draft implements Transaction {
  private readonly commands: TransactionCommand[] = [];
  private closed = false;

  queue(name: string): TransactionQueue {
    return new TransactionQueue(name, (command, options) => this.give(command, options));
  }

  task(id: string): TransactionTask {
    return new TaskCommands(id, (command, options) => this.give(command, options));
  }

  settle(item: SettledInTransaction): void {
    assertOptions('tx.settle', item);
    const { type, ...facts } = item.verdict;
    this.add({ operation: OPERATION_OF[type], id: item.taskId, body: { ...facts, token: item.token } });
  }

  close(): readonly TransactionCommand[] {
    this.closed = true;
    return this.commands;
  }

  private give(command: TransactionCommand, options: OptionsOf<'transaction'> = {}): void {
    assertOptionsInTransaction(command.operation, options);
    this.add(command);
  }

  private add(command: TransactionCommand): void {
    if (this.closed)
      throw new TypeError(`Expected the transaction to be open for '${command.operation}', but it has ended`);
    this.commands.push(command);
  }
}

/** One queue, within a transaction: the commands of a `QueueHandle`. */
export class TransactionQueue extends QueueCommands<'transaction'> {
  /**
   * Enqueues a task and returns its id. If a task with the key is already waiting, the transaction's result names that
   * one.
   */
  enqueue(payload?: unknown, options: EnqueueOptions = {}): string {
    assertOptionsInTransaction('enqueueTask', options);
    const body = submissionOf({ ...options, payload });
    this.give({ operation: 'enqueueTask', queue: this.name, body });
    return body.id;
  }
}

/** One task, within a transaction: the commands of a `TaskHandle`. */
export type TransactionTask = TaskCommands<'transaction'>;
