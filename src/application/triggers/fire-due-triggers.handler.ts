import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import type { IsoTime } from '../../domain/kernel/json.js';
import { pollAfter } from '../../domain/trigger/polls.js';
import type { TriggerCommand } from '../../domain/trigger/trigger.commands.js';
import type { QueueTrigger } from '../../domain/trigger/trigger.events.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { isPassing } from '../tasks/enqueue-item.js';
import { hasTimes } from './open-occurrences.js';
import { OccurrenceFiring } from './occurrence-firing.js';
import { jobIdOf, QueueFiring } from './queue-firing.js';
import { type DueTrigger, type EmptyPoll, type StoredTrigger, TriggerStates } from './trigger-states.port.js';

/** Makes the tasks of the triggers that are due. Returns how many triggers it dealt with. */
export class FireDueTriggers extends Command<number> {
  constructor(
    readonly triggers: readonly DueTrigger[],
    /** Whoever looked for them. The trigger itself is the actor. */
    readonly context: CommandContext,
  ) {
    super();
  }
}

type QueuePoller<T extends StoredTrigger = StoredTrigger> = T & {
  readonly state: { readonly definition: QueueTrigger };
};

/** From when to when a trigger was due. */
interface Due {
  readonly from: IsoTime;
  readonly at: IsoTime;
}

@CommandHandler(FireDueTriggers)
export class FireDueTriggersHandler implements ICommandHandler<FireDueTriggers> {
  constructor(
    private readonly occurrences: OccurrenceFiring,
    private readonly queues: QueueFiring,
    private readonly commands: StreamCommands,
    private readonly states: TriggerStates,
    private readonly clock: Clock,
  ) {}

  async execute({ triggers, context }: FireDueTriggers): Promise<number> {
    const idle = await this.withNothingToDo(triggers.filter(pollsQueue).filter(({ isIdle }) => isIdle));
    await this.pollLater([...idle]);
    const busy = triggers.filter((trigger) => !idle.has(trigger as QueuePoller));
    const fired = await Promise.all(busy.map((trigger) => this.fire(trigger, context)));
    return idle.size + fired.filter((isDone) => isDone).length;
  }

  /** Without those whose items a process claimed before it died: their jobs are still to be made. */
  private async withNothingToDo(idle: readonly QueuePoller[]): Promise<ReadonlySet<QueuePoller>> {
    const jobs = new Map(idle.map((trigger) => [jobIdOf(trigger.name, trigger.state), trigger]));
    const begun = jobs.size > 0 ? await this.states.claimsMade([...jobs.keys()]) : new Set();
    return new Set([...jobs].flatMap(([job, trigger]) => (begun.has(job) ? [] : [trigger])));
  }

  private async pollLater(triggers: readonly QueuePoller[]): Promise<void> {
    if (triggers.length > 0) await this.states.pollLater(triggers.map((trigger) => this.emptyPoll(trigger)));
  }

  private emptyPoll({ name: trigger, state }: QueuePoller): EmptyPoll {
    const { from, at } = this.dueOf(state);
    return { trigger, from, next: pollAfter(state.definition, from, at) };
  }

  /** False if the task may be taken later, such as after a drain. The trigger is due until then. */
  private async fire(trigger: StoredTrigger, given: CommandContext): Promise<boolean> {
    const context = { ...given, actor: `trigger:${trigger.name}` };
    const due = this.dueOf(trigger.state);
    const outcome = pollsQueue(trigger)
      ? await this.fireQueue(trigger, due, context)
      : await this.fireOccurrences(trigger, due, context);
    if (outcome === 'nothing') return true;
    if (outcome === null) return false;
    const { recorded } = await this.commands.runOn(AGGREGATES.trigger, trigger.name, outcome, context, {
      stored: trigger,
    });
    return recorded;
  }

  private fireOccurrences({ name, state }: StoredTrigger, due: Due, context: CommandContext) {
    if (!hasTimes(state)) throw new Error(`Expected trigger '${name}' to have times, but it has none`);
    return this.occurrences.fire(name, state, due, context);
  }

  private async fireQueue(
    trigger: QueuePoller,
    { from, at }: Due,
    context: CommandContext,
  ): Promise<TriggerCommand | 'nothing' | null> {
    const { name, state } = trigger;
    const { definition } = state;
    const job = jobIdOf(name, state);
    const fired = await this.queues.fire(name, definition, job, context);
    switch (fired.kind) {
      case 'nothing':
        await this.pollLater([trigger]);
        return 'nothing';
      case 'refused':
        if (isPassing(fired.rejection)) return null;
        return { type: 'RecordFailure', trigger: name, definition, from, problem: fired.rejection, at };
      case 'fired': {
        const firings = [{ occurrence: from, task: job, items: fired.items }];
        const next = pollAfter(definition, from, at);
        return { type: 'RecordFirings', trigger: name, definition, from, firings, at, next };
      }
    }
  }

  /** The database found the trigger due. This process samples the database's clock, and may be a little behind it. */
  private dueOf({ next }: StoredTrigger['state']): Due {
    const [from, now] = [next!, this.clock.iso()];
    return { from, at: now > from ? now : from };
  }
}

const pollsQueue = <T extends StoredTrigger>(trigger: T): trigger is QueuePoller<T> =>
  'queue' in trigger.state.definition;
