import type {
  PolicyChanges,
  SettleItem,
  SettleVerdict,
  TransactionCommand,
  TransactionReceipt,
} from '@waybill/contracts';
import type { Caller, CommandOptions } from './caller.js';
import type { ChangePolicyOptions, DefineOptions } from './queue-handle.js';
import { submissionOf, type EnqueueOptions } from './submissions.js';

type Operation = TransactionCommand['operation'];

const OPERATION_OF: Readonly<Record<SettleVerdict['type'], Operation>> = {
  succeed: 'succeedTask',
  fail: 'failTask',
  completeStep: 'completeStep',
  reportError: 'reportError',
  handBack: 'handBackTask',
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

/** One queue, within a transaction. */
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
  define(policy: PolicyChanges = {}, options: Pick<DefineOptions, 'description' | 'preset' | 'replace'> = {}): void {
    this.command('defineQueue', { ...options, policy });
  }

  /** Refused where the policy's version is another one by then. */
  changePolicy(changes: PolicyChanges, { ifVersion }: Pick<ChangePolicyOptions, 'ifVersion'>): void {
    this.add({ operation: 'changePolicy', queue: this.name, ifVersion, body: changes });
  }

  pause({ reason, until }: { readonly reason?: string; readonly until?: Date | string } = {}): void {
    this.command('pauseQueue', { reason, until: until instanceof Date ? until.toISOString() : until });
  }

  resume(): void {
    this.command('resumeQueue');
  }

  closeIntake(reason?: string): void {
    this.command('closeIntake', { reason });
  }

  openIntake(): void {
    this.command('openIntake');
  }

  /** Refused where a task is open by then. */
  finish(): void {
    this.command('finishQueue');
  }

  reopen(): void {
    this.command('reopenQueue');
  }

  delete(): void {
    this.command('deleteQueue');
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

  submit(): void {
    this.command('submitTask');
  }

  hold(reason?: string): void {
    this.command('holdTask', { reason });
  }

  release(): void {
    this.command('releaseTask');
  }

  retry(options: { readonly step?: string; readonly override?: boolean } = {}): void {
    this.command('retryTask', options);
  }

  decide(decision: 'retry' | 'fail', reason?: string): void {
    this.command('decideTask', { decision, reason });
  }

  cancel(reason?: string): void {
    this.command('cancelTask', { reason });
  }

  abort(reason?: string): void {
    this.command('abortTask', { reason });
  }

  prioritise(priority: number): void {
    this.command('prioritiseTask', { priority });
  }

  reschedule(dueAt: Date | string | null): void {
    this.command('rescheduleTask', { dueAt: dueAt instanceof Date ? dueAt.toISOString() : dueAt });
  }

  amend(payload: unknown): void {
    this.command('amendTask', { payload });
  }

  overrule(verdict: 'succeed' | 'fail' | 'requeue', reason: string): void {
    this.command('overruleTask', { verdict, reason });
  }

  delete({ force }: { readonly force?: boolean } = {}): void {
    this.command('deleteTask', { force });
  }

  private command(operation: Operation, body: object = {}): void {
    this.add({ operation, id: this.id, body });
  }
}
