import type {
  PolicyChanges,
  SettleItem,
  SettleVerdict,
  TransactionCommand,
  TransactionReceipt,
} from '@waybill/contracts';
import type { Caller, CommandOptions, ReasonOptions } from './caller.js';
import type { ChangePolicyOptions, DefineOptions, PauseOptions } from './queue-handle.js';
import { submissionOf, type EnqueueOptions } from './submissions.js';
import type { RetryOptions } from './task-handle.js';

type Operation = TransactionCommand['operation'];

const OPERATION_OF: Readonly<Record<SettleVerdict['type'], Operation>> = {
  succeed: 'succeedTask',
  fail: 'failTask',
  completeStep: 'completeStep',
  reportError: 'reportError',
  return: 'returnTask',
  confirmCancel: 'confirmCancel',
};

/** Commands that are collected, and recorded as one: all or none. */
export interface Transaction {
  queue(name: string): TransactionQueue;
  task(id: string): TransactionTask;

  /** What became of a claimed task. */
  settle(item: SettleItem): void;
}

/** Runs `work`, and then what it collected; an exception in it records nothing. Nothing is sent for an empty transaction. */
export async function runTransaction(
  caller: Caller,
  work: (tx: Transaction) => void | Promise<void>,
  options?: CommandOptions,
): Promise<TransactionReceipt> {
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
    return new TransactionQueue(name, (command) => this.add(command));
  }

  task(id: string): TransactionTask {
    return new TransactionTask(id, (command) => this.add(command));
  }

  settle({ taskId, token, verdict: { type, ...facts } }: SettleItem): void {
    this.add({ operation: OPERATION_OF[type], id: taskId, body: { ...facts, token } });
  }

  close(): readonly TransactionCommand[] {
    this.closed = true;
    return this.commands;
  }

  private add(command: TransactionCommand): void {
    if (this.closed)
      throw new TypeError(`Expected the transaction to be open for '${command.operation}', but it has ended`);
    this.commands.push(command);
  }
}

type Add = (command: TransactionCommand) => void;

/** Why, for the history. */
type Why = Pick<ReasonOptions, 'reason'>;

/** One queue, within a transaction: the commands of a `QueueHandle`. */
export class TransactionQueue {
  constructor(
    readonly name: string,
    private readonly add: Add,
  ) {}

  /** Hands in one task, and answers its id; where the task of a key already waits, the result names that one. */
  enqueue(payload?: unknown, options: EnqueueOptions = {}): string {
    const body = submissionOf({ ...options, payload });
    this.command('enqueueTask', body);
    return body.id;
  }

  /** Keeps a queue that stands, unless `replace` changes it to what is given. */
  define(
    policy: PolicyChanges = {},
    options: Pick<DefineOptions, 'description' | 'preset' | 'replace' | 'reason'> = {},
  ): void {
    this.command('defineQueue', { ...options, policy });
  }

  /** Refused where the policy's version is another one by then. */
  changePolicy(changes: PolicyChanges, { ifVersion, reason }: Pick<ChangePolicyOptions, 'ifVersion' | 'reason'>): void {
    this.add({ operation: 'changePolicy', queue: this.name, ifVersion, body: { ...changes, reason } });
  }

  pause({ reason, until }: Pick<PauseOptions, 'reason' | 'until'> = {}): void {
    this.command('pauseQueue', { reason, until: until instanceof Date ? until.toISOString() : until });
  }

  resume({ reason }: Why = {}): void {
    this.command('resumeQueue', { reason });
  }

  closeIntake({ reason }: Why = {}): void {
    this.command('closeIntake', { reason });
  }

  openIntake({ reason }: Why = {}): void {
    this.command('openIntake', { reason });
  }

  /** Refused where a task is open by then. */
  finish({ reason }: Why = {}): void {
    this.command('finishQueue', { reason });
  }

  reopen({ reason }: Why = {}): void {
    this.command('reopenQueue', { reason });
  }

  delete({ reason }: Why = {}): void {
    this.command('deleteQueue', { reason });
  }

  private command(operation: Operation, body: object = {}): void {
    this.add({ operation, queue: this.name, body });
  }
}

/** One task, within a transaction: the commands of a `TaskHandle`. */
export class TransactionTask {
  constructor(
    readonly id: string,
    private readonly add: Add,
  ) {}

  submit({ reason }: Why = {}): void {
    this.command('submitTask', { reason });
  }

  hold({ reason }: Why = {}): void {
    this.command('holdTask', { reason });
  }

  release({ reason }: Why = {}): void {
    this.command('releaseTask', { reason });
  }

  retry({ step, override, reason }: Pick<RetryOptions, 'step' | 'override' | 'reason'> = {}): void {
    this.command('retryTask', { step, override, reason });
  }

  decide(decision: 'retry' | 'fail', { reason }: Why = {}): void {
    this.command('decideTask', { decision, reason });
  }

  cancel({ reason }: Why = {}): void {
    this.command('cancelTask', { reason });
  }

  abort({ reason }: Why = {}): void {
    this.command('abortTask', { reason });
  }

  prioritise(priority: number, { reason }: Why = {}): void {
    this.command('prioritiseTask', { priority, reason });
  }

  reschedule(dueAt: Date | string | null, { reason }: Why = {}): void {
    this.command('rescheduleTask', { dueAt: dueAt instanceof Date ? dueAt.toISOString() : dueAt, reason });
  }

  amend(payload: unknown, { reason }: Why = {}): void {
    this.command('amendTask', { payload, reason });
  }

  overrule(verdict: 'succeed' | 'fail' | 'requeue', reason: string): void {
    this.command('overruleTask', { verdict, reason });
  }

  delete({ force, reason }: Why & { readonly force?: boolean } = {}): void {
    this.command('deleteTask', { force, reason });
  }

  private command(operation: Operation, body: object = {}): void {
    this.add({ operation, id: this.id, body });
  }
}
