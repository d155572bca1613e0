import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { IsoTime } from '../../domain/kernel/json.js';
import type { TriggerCommand } from '../../domain/trigger/trigger.commands.js';
import type { TriggerDefinition } from '../../domain/trigger/trigger.events.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { newestOccurrences, nextOccurrence } from '../kernel/cron.js';
import { derivedId } from '../kernel/derived-id.js';
import { isPassing } from '../tasks/enqueue-item.js';
import { type EnqueueOutcome, EnqueueTasks } from '../tasks/enqueue-tasks.handler.js';
import { TriggerCommands } from './trigger-commands.js';
import type { StoredTrigger } from './trigger-states.port.js';

/**
 * Makes the tasks of the triggers that are due, one for each occurrence, from any number of processes: the id of a task
 * is derived from the trigger and the occurrence. Returns how many triggers it dealt with.
 */
export class FireDueTriggers extends Command<number> {
  constructor(
    readonly triggers: readonly StoredTrigger[],
    /** Whoever looked for them. The trigger itself is the actor. */
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** An occurrence is missed if it is noticed later than this. */
const MISSED_AFTER_MS = 60_000;
const MOST_OCCURRENCES = 100;

@CommandHandler(FireDueTriggers)
export class FireDueTriggersHandler implements ICommandHandler<FireDueTriggers> {
  constructor(
    private readonly commands: CommandBus,
    private readonly triggers: TriggerCommands,
    private readonly clock: Clock,
  ) {}

  async execute({ triggers, context }: FireDueTriggers): Promise<number> {
    const fired = await Promise.all(triggers.map((trigger) => this.fire(trigger, context)));
    return fired.filter((isDone) => isDone).length;
  }

  /** False if the task may be taken later, such as after a drain. The trigger is due until then. */
  private async fire(trigger: StoredTrigger, given: CommandContext): Promise<boolean> {
    const context = { ...given, actor: `trigger:${trigger.name}` };
    const command = await this.outcomeOf(trigger, context);
    if (command === null) return false;
    const { recorded } = await this.triggers.runOn(trigger, () => command, context);
    return recorded;
  }

  private async outcomeOf(
    { name: trigger, state }: StoredTrigger,
    context: CommandContext,
  ): Promise<TriggerCommand | null> {
    const from = state.next!;
    const at = later(this.clock.iso(), from);
    const next = occurrenceAfter(state.definition, at);
    const occurrences = toFire(state.definition, from, at);
    if (occurrences.length === 0) return { type: 'SkipOccurrence', trigger, from, next };
    const items = occurrences.map((occurrence) => ({
      ...state.definition.task,
      taskId: derivedId(`trigger ${trigger}`, occurrence),
      dueAt: occurrence,
    }));
    const outcomes = await this.commands.execute(new EnqueueTasks(items, context));
    const problem = problemIn(outcomes);
    if (problem && isPassing(problem)) return null;
    if (problem) return { type: 'RecordFailure', trigger, from, problem, at };
    const firings = occurrences.map((occurrence, n) => ({ occurrence, task: taskOf(outcomes[n]!, items[n]!.taskId) }));
    return { type: 'RecordFirings', trigger, from, firings, at, next };
  }
}

function toFire(definition: TriggerDefinition, from: IsoTime, to: IsoTime): readonly IsoTime[] {
  const count = definition.missed === 'each' ? MOST_OCCURRENCES : 1;
  const occurrences = newestOccurrences(definition, { from, to, count });
  if (definition.missed !== 'skip') return occurrences;
  return occurrences.filter((occurrence) => Date.parse(to) - Date.parse(occurrence) < MISSED_AFTER_MS);
}

/** A task that exists with other content was made of an earlier definition, before the firing could be recorded. */
function problemIn(outcomes: readonly EnqueueOutcome[]) {
  for (const outcome of outcomes)
    if (outcome.kind === 'refused' && outcome.rejection.code !== 'TASK_EXISTS') return outcome.rejection;
  return null;
}

const taskOf = (outcome: EnqueueOutcome, id: string): string => (outcome.kind === 'done' ? outcome.receipt.id : id);

/** The database found the occurrence to be over. The clock that is sampled from it may be behind by a little. */
const later = (now: IsoTime, from: IsoTime): IsoTime => (now > from ? now : from);

/** A trigger's pattern was valid when it was stored, and keeps occurring. */
function occurrenceAfter(definition: TriggerDefinition, now: IsoTime): IsoTime {
  const next = nextOccurrence(definition, now);
  if (!('at' in next)) throw new Error(`Expected '${definition.cron}' to keep occurring, but: ${next.reason}`);
  return next.at;
}
