import type { PolicyChanges } from '@waybill/contracts';
import { optionsOf } from './call-options.js';
import type { CommandId, Give, CommandAnswer, OptionsOf, CommandContent, Way } from './given-command.js';
import { isoTime } from './given-options.js';

export type DefineOptions<W extends Way = 'request'> = OptionsOf<W> & {
  readonly description?: string;
  /** The preset for fields that the policy leaves out, for the names of states, and for the offered commands. */
  readonly preset?: string;
  /** Replace the policy of an existing queue, whoever changed it since. */
  readonly replace?: boolean;
};

export type ChangePolicyOptions<W extends Way = 'request'> = OptionsOf<W> & {
  /** The `policyVersion` that you have read. The change is refused if it is no longer the current one. */
  readonly ifVersion: number;
};

export type PauseOptions<W extends Way = 'request'> = OptionsOf<W> & {
  /** When the queue resumes by itself. */
  readonly until?: Date | string;
};

/** A definition or change reads as if it were one object, so people write all of it as the policy. */
function refuseOptionsIn(policy: object, call: 'define' | 'changePolicy'): void {
  const options = optionsOf(call === 'define' ? 'defineQueue' : call);
  const option = Object.keys(policy).find((name) => name !== FIELD_TOO && options.includes(name));
  if (option === undefined) return;
  throw new TypeError(
    `Expected the fields of a policy, but '${option}' is none: it is an option, so write ${call}({ ... }, { ${option}: ... })`,
  );
}

/** A policy has a field of this name, and so do the options of every call. */
const FIELD_TOO = 'retry';

/** The commands of one queue: of a `QueueHandle` and, collected, of a transaction. */
export class QueueCommands<W extends Way> {
  constructor(
    readonly name: string,
    protected readonly give: Give<W>,
  ) {}

  /**
   * Creates the queue. Omitted fields of the policy take their defaults. An existing queue stays unchanged, unless
   * `replace` replaces its policy. The answer says which happened (`outcome`), which fields differ (`differences`), and
   * whether the queue is paused or closed.
   */
  define(policy: PolicyChanges = {}, options?: DefineOptions<W>): CommandAnswer<W, 'defineQueue'> {
    refuseOptionsIn(policy, 'define');
    const { description, preset, replace }: DefineOptions<'transaction'> = options ?? {};
    return this.command('defineQueue', { description, preset, policy, replace }, options);
  }

  /** Changes the given fields of the policy, unless somebody else has changed it meanwhile. */
  changePolicy(changes: PolicyChanges, options: ChangePolicyOptions<W>): CommandAnswer<W, 'changePolicy'> {
    refuseOptionsIn(changes, 'changePolicy');
    const { ifVersion, reason } = options;
    return this.give({ operation: 'changePolicy', queue: this.name, ifVersion, body: { reason, ...changes } }, options);
  }

  /**
   * Limits the tasks that have a value of a label; without a value, those of each value that has no limits of its own. Changes the policy as it
   * stands: it needs no version, and of two changes at once none is lost. Limits that you leave out stay.
   */
  setLimit(limit: CommandContent<'setLimit'>, options?: OptionsOf<W>): CommandAnswer<W, 'setLimit'> {
    return this.command('setLimit', limit, options);
  }

  /** Takes the limits of a value away, so that it has those of all others. */
  unsetLimit(limit: CommandContent<'unsetLimit'>, options?: OptionsOf<W>): CommandAnswer<W, 'unsetLimit'> {
    return this.command('unsetLimit', limit, options);
  }

  /** Stops giving out tasks. The queue still accepts tasks. */
  pause(options?: PauseOptions<W>): CommandAnswer<W, 'pauseQueue'> {
    const until = options?.until;
    return this.command('pauseQueue', { until: isoTime('until', until) }, options);
  }

  resume(options?: OptionsOf<W>): CommandAnswer<W, 'resumeQueue'> {
    return this.command('resumeQueue', {}, options);
  }

  /** Stops accepting tasks. Workers continue with the existing ones. */
  closeIntake(options?: OptionsOf<W>): CommandAnswer<W, 'closeIntake'> {
    return this.command('closeIntake', {}, options);
  }

  openIntake(options?: OptionsOf<W>): CommandAnswer<W, 'openIntake'> {
    return this.command('openIntake', {}, options);
  }

  /** Finishes a queue whose tasks have all ended. */
  finish(options?: OptionsOf<W>): CommandAnswer<W, 'finishQueue'> {
    return this.command('finishQueue', {}, options);
  }

  reopen(options?: OptionsOf<W>): CommandAnswer<W, 'reopenQueue'> {
    return this.command('reopenQueue', {}, options);
  }

  delete(options?: OptionsOf<W>): CommandAnswer<W, 'deleteQueue'> {
    return this.command('deleteQueue', {}, options);
  }

  private command<O extends CommandId>(
    operation: O,
    said: CommandContent<O>,
    options?: OptionsOf<W>,
  ): CommandAnswer<W, O> {
    return this.give({ operation, queue: this.name, body: { ...said, reason: options?.reason } }, options);
  }
}
