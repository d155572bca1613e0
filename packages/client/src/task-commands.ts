import type { Prerequisite } from '@waybill/contracts';
import type { CommandId, Give, CommandAnswer, OptionsOf, CommandContent, Way } from './given-command.js';
import { isoTime } from './given-options.js';

export type RetryOptions<W extends Way = 'request'> = OptionsOf<W> & {
  /** The step to start from, for a task with steps; if absent, the step that failed. */
  readonly step?: string;
  /** Allows a step other than the next one. The history records it. */
  readonly override?: boolean;
};

export type OverruleOptions<W extends Way = 'request'> = Omit<OptionsOf<W>, 'reason'> & {
  readonly result?: unknown;
};

export type DeleteOptions<W extends Way = 'request'> = OptionsOf<W> & { readonly force?: boolean };

/** The commands of one task: of a `TaskHandle` and, collected, of a transaction. */
export class TaskCommands<W extends Way> {
  constructor(
    readonly id: string,
    private readonly give: Give<W>,
  ) {}

  /** Submits a prepared task, so that workers can claim it. */
  submit(options?: OptionsOf<W>): CommandAnswer<W, 'submitTask'> {
    return this.command('submitTask', {}, options);
  }

  /** Keeps the task from running. If it is running, its worker is told to stop first. */
  hold(options?: OptionsOf<W>): CommandAnswer<W, 'holdTask'> {
    return this.command('holdTask', {}, options);
  }

  release(options?: OptionsOf<W>): CommandAnswer<W, 'releaseTask'> {
    return this.command('releaseTask', {}, options);
  }

  /** Retries a failed or cancelled task. */
  retry(options?: RetryOptions<W>): CommandAnswer<W, 'retryTask'> {
    return this.command('retryTask', { step: options?.step, override: options?.override }, options);
  }

  /** Decides whether an undecided task is retried or fails. */
  decide(decision: 'retry' | 'fail', options?: OptionsOf<W>): CommandAnswer<W, 'decideTask'> {
    return this.command('decideTask', { decision }, options);
  }

  /** Cancels the task, which can be retried later. If it is running, its worker is told to stop. */
  cancel(options?: OptionsOf<W>): CommandAnswer<W, 'cancelTask'> {
    return this.command('cancelTask', {}, options);
  }

  /** Ends the task at once and for good. */
  abort(options?: OptionsOf<W>): CommandAnswer<W, 'abortTask'> {
    return this.command('abortTask', {}, options);
  }

  prioritise(priority: number, options?: OptionsOf<W>): CommandAnswer<W, 'prioritiseTask'> {
    return this.command('prioritiseTask', { priority }, options);
  }

  /** With `null`, the task is due now. */
  reschedule(dueAt: Date | string | null, options?: OptionsOf<W>): CommandAnswer<W, 'rescheduleTask'> {
    return this.command('rescheduleTask', { dueAt: isoTime('dueAt', dueAt) }, options);
  }

  /** Replaces the payload of a task that is not running. */
  amend(payload: unknown, options?: OptionsOf<W>): CommandAnswer<W, 'amendTask'> {
    return this.command('amendTask', { payload }, options);
  }

  /**
   * Changes the data of the task, which its workers record for one another. A member takes the place of the one of the
   * same name, and null removes it.
   */
  annotate(data: Readonly<Record<string, unknown>>, options?: OptionsOf<W>): CommandAnswer<W, 'annotateTask'> {
    return this.command('annotateTask', { data: { ...data } }, options);
  }

  /**
   * Signals the task: its handler, which waits for this in `run.waitFor`, goes on with the data. A signal that comes first is kept
   * until the handler asks. Pass an `idempotencyKey` if you may repeat it.
   */
  signal(signal: string, data?: unknown, options?: OptionsOf<W>): CommandAnswer<W, 'signalTask'> {
    return this.command('signalTask', { signal, ...(data !== undefined && { data }) }, options);
  }

  /** Changes what the task waits for. `waive` has the ids of tasks and batches. */
  arrange(
    { add = [], waive = [], ...rest }: { readonly add?: readonly Prerequisite[]; readonly waive?: readonly string[] },
    options?: OptionsOf<W>,
  ): CommandAnswer<W, 'arrangeTask'> {
    return this.command('arrangeTask', { ...rest, add: [...add], waive: [...waive] }, options);
  }

  /**
   * Ends a running attempt, whatever its worker reports. Later reports of the worker are refused. `result`: with `succeed` the
   * result of the task, with `fail` the details of its error.
   */
  overrule(
    verdict: 'succeed' | 'fail' | 'requeue',
    reason: string,
    options?: OverruleOptions<W>,
  ): CommandAnswer<W, 'overruleTask'> {
    const result = options?.result;
    const body = { verdict, reason, ...(result !== undefined && { result }) };
    return this.give({ operation: 'overruleTask', id: this.id, body }, options);
  }

  /** Deletes the task; its history stays. `force` also deletes a running task. */
  delete(options?: DeleteOptions<W>): CommandAnswer<W, 'deleteTask'> {
    return this.command('deleteTask', { force: options?.force }, options);
  }

  private command<O extends CommandId>(
    operation: O,
    said: CommandContent<O>,
    options?: OptionsOf<W>,
  ): CommandAnswer<W, O> {
    return this.give({ operation, id: this.id, body: { ...said, reason: options?.reason } }, options);
  }
}
