import type { CommandId, Give, Given, OptionsOf, Said, Way } from './given-command.js';

export type RetryOptions<W extends Way = 'request'> = OptionsOf<W> & {
  /** Where to begin again, in a task with steps; where it failed when absent. */
  readonly step?: string;
  /** Needed for a step other than the implied one, and recorded. */
  readonly override?: boolean;
};

/** The commands of one task: of a `TaskHandle` and, collected, of a transaction. */
export class TaskCommands<W extends Way> {
  constructor(
    readonly id: string,
    private readonly give: Give<W>,
  ) {}

  /** Offers a prepared task to workers. */
  submit(options?: OptionsOf<W>): Given<W, 'submitTask'> {
    return this.command('submitTask', {}, options);
  }

  /** Keeps the task back; a running one is asked to stop first. */
  hold(options?: OptionsOf<W>): Given<W, 'holdTask'> {
    return this.command('holdTask', {}, options);
  }

  release(options?: OptionsOf<W>): Given<W, 'releaseTask'> {
    return this.command('releaseTask', {}, options);
  }

  /** Puts a failed or cancelled task back to work. */
  retry(options?: RetryOptions<W>): Given<W, 'retryTask'> {
    return this.command('retryTask', { step: options?.step, override: options?.override }, options);
  }

  /** Decides what becomes of an undecided task. */
  decide(decision: 'retry' | 'fail', options?: OptionsOf<W>): Given<W, 'decideTask'> {
    return this.command('decideTask', { decision }, options);
  }

  /** Stops the task; it can be retried. A running one is asked to stop. */
  cancel(options?: OptionsOf<W>): Given<W, 'cancelTask'> {
    return this.command('cancelTask', {}, options);
  }

  /** Stops the task for good, at once. */
  abort(options?: OptionsOf<W>): Given<W, 'abortTask'> {
    return this.command('abortTask', {}, options);
  }

  prioritise(priority: number, options?: OptionsOf<W>): Given<W, 'prioritiseTask'> {
    return this.command('prioritiseTask', { priority }, options);
  }

  /** `null`: due now. */
  reschedule(dueAt: Date | string | null, options?: OptionsOf<W>): Given<W, 'rescheduleTask'> {
    return this.command('rescheduleTask', { dueAt: dueAt instanceof Date ? dueAt.toISOString() : dueAt }, options);
  }

  /** Replaces the payload of a task that is not running. */
  amend(payload: unknown, options?: OptionsOf<W>): Given<W, 'amendTask'> {
    return this.command('amendTask', { payload }, options);
  }

  /** Ends a running attempt against its worker, whose late report is then refused. */
  overrule(
    verdict: 'succeed' | 'fail' | 'requeue',
    reason: string,
    options?: Omit<OptionsOf<W>, 'reason'>,
  ): Given<W, 'overruleTask'> {
    return this.command('overruleTask', { verdict }, { ...options, reason } as OptionsOf<W>);
  }

  /** Its history stays. `force` deletes a running task, too. */
  delete(options?: OptionsOf<W> & { readonly force?: boolean }): Given<W, 'deleteTask'> {
    return this.command('deleteTask', { force: options?.force }, options);
  }

  private command<O extends CommandId>(operation: O, said: Said<O>, options?: OptionsOf<W>): Given<W, O> {
    return this.give({ operation, id: this.id, body: { ...said, reason: options?.reason } }, options);
  }
}
