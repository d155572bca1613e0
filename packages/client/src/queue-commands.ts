import type { PolicyChanges } from '@waybill/contracts';
import type { CommandId, Give, Given, OptionsOf, Said, Way } from './given-command.js';

export type DefineOptions<W extends Way = 'request'> = OptionsOf<W> & {
  readonly description?: string;
  /** Whose policy stands where the given one says nothing, and whose words and commands are the queue's. */
  readonly preset?: string;
  /** Change a queue that stands to this definition, whoever changed it since. */
  readonly replace?: boolean;
};

export type ChangePolicyOptions<W extends Way = 'request'> = OptionsOf<W> & {
  /** The `policyVersion` that the caller has seen: another one refuses the change. */
  readonly ifVersion: number;
};

export type PauseOptions<W extends Way = 'request'> = OptionsOf<W> & {
  /** When the queue resumes by itself. */
  readonly until?: Date | string;
};

/** The commands of one queue: of a `QueueHandle` and, collected, of a transaction. */
export class QueueCommands<W extends Way> {
  constructor(
    readonly name: string,
    protected readonly give: Give<W>,
  ) {}

  /**
   * Makes the queue; what the policy leaves out takes its default. One that stands is kept as it is, unless `replace` changes it to
   * this definition. The answer says which, where it is other than was asked (`differences`), and what keeps it from being used.
   */
  define(policy: PolicyChanges = {}, options?: DefineOptions<W>): Given<W, 'defineQueue'> {
    const { description, preset, replace }: DefineOptions<'transaction'> = options ?? {};
    return this.command('defineQueue', { description, preset, policy, replace }, options);
  }

  /** Changes the policy's given fields, unless somebody else changed it meanwhile. */
  changePolicy(changes: PolicyChanges, options: ChangePolicyOptions<W>): Given<W, 'changePolicy'> {
    const { ifVersion, reason } = options;
    return this.give({ operation: 'changePolicy', queue: this.name, ifVersion, body: { ...changes, reason } }, options);
  }

  /** Stops handing out tasks; submissions go on. */
  pause(options?: PauseOptions<W>): Given<W, 'pauseQueue'> {
    const until = options?.until;
    return this.command('pauseQueue', { until: until instanceof Date ? until.toISOString() : until }, options);
  }

  resume(options?: OptionsOf<W>): Given<W, 'resumeQueue'> {
    return this.command('resumeQueue', {}, options);
  }

  /** Refuses further submissions; the tasks that are there are worked. */
  closeIntake(options?: OptionsOf<W>): Given<W, 'closeIntake'> {
    return this.command('closeIntake', {}, options);
  }

  openIntake(options?: OptionsOf<W>): Given<W, 'openIntake'> {
    return this.command('openIntake', {}, options);
  }

  /** Ends a queue whose tasks are all final. */
  finish(options?: OptionsOf<W>): Given<W, 'finishQueue'> {
    return this.command('finishQueue', {}, options);
  }

  reopen(options?: OptionsOf<W>): Given<W, 'reopenQueue'> {
    return this.command('reopenQueue', {}, options);
  }

  delete(options?: OptionsOf<W>): Given<W, 'deleteQueue'> {
    return this.command('deleteQueue', {}, options);
  }

  private command<O extends CommandId>(operation: O, said: Said<O>, options?: OptionsOf<W>): Given<W, O> {
    return this.give({ operation, queue: this.name, body: { ...said, reason: options?.reason } }, options);
  }
}
