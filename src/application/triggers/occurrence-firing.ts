import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { IsoTime } from '../../domain/kernel/json.js';
import type { TriggerCommand } from '../../domain/trigger/trigger.commands.js';
import type { ChangesTrigger, CronTrigger, Firing } from '../../domain/trigger/trigger.events.js';
import type { CommandContext } from '../kernel/command-context.js';
import { nextOccurrence } from '../kernel/cron.js';
import { derivedId } from '../kernel/derived-id.js';
import { type EnqueueOutcome, type EnqueueRejection, isPassing } from '../tasks/enqueue-item.js';
import { ChangesFiring, tellsChanges } from './changes-firing.js';
import { triggeredItem } from './triggered-item.js';
import { EnqueueTasks } from '../tasks/enqueue-tasks.handler.js';
import { type CronState, turnOf } from './open-occurrences.js';

/**
 * Makes the tasks of the occurrences that have come, one for each, from any number of processes: the id of a task is
 * derived from the trigger and the occurrence.
 */
@Injectable()
export class OccurrenceFiring {
  constructor(
    private readonly commands: CommandBus,
    private readonly changes: ChangesFiring,
  ) {}

  /** What to record. Null if the task may be taken later, such as after a drain. The trigger is due until then. */
  async fire(
    trigger: string,
    state: CronState,
    { from, at }: { readonly from: IsoTime; readonly at: IsoTime },
    context: CommandContext,
  ): Promise<TriggerCommand | null> {
    const { definition } = state;
    const { times, skipped } = turnOf(state, at);
    const due = { trigger, definition, from };
    const done = { ...due, next: occurrenceAfter(definition, at), ...(skipped && { skipped }) };
    if (times.length === 0) return { type: 'SkipOccurrence', ...done };
    const made = tellsChanges(state)
      ? await this.changes.fire(trigger, state, times.at(-1)!, context)
      : await this.makeTasks(trigger, state.definition as TaskTrigger, times, context);
    if (!('problem' in made)) return { type: 'RecordFirings', ...done, firings: 'task' in made ? [made] : made, at };
    const { problem } = made;
    return isPassing(problem) ? null : { type: 'RecordFailure', ...due, problem, at };
  }

  private async makeTasks(
    trigger: string,
    { task }: TaskTrigger,
    times: readonly IsoTime[],
    context: CommandContext,
  ): Promise<readonly Firing[] | { readonly problem: EnqueueRejection }> {
    const items = times.map((occurrence) => ({
      ...triggeredItem(task, occurrence),
      taskId: derivedId(`trigger ${trigger}`, occurrence),
      dueAt: occurrence,
    }));
    const outcomes = await this.commands.execute(new EnqueueTasks(items, context));
    const problem = problemIn(outcomes);
    if (problem) return { problem };
    return times.map((occurrence, n) => ({ occurrence, task: taskOf(outcomes[n]!, items[n]!.taskId) }));
  }
}

type TaskTrigger = Exclude<CronTrigger, ChangesTrigger>;

/** A task that exists with other content was made of an earlier definition, before the firing could be recorded. */
function problemIn(outcomes: readonly EnqueueOutcome[]) {
  for (const outcome of outcomes)
    if (outcome.kind === 'refused' && outcome.rejection.code !== 'TASK_EXISTS') return outcome.rejection;
  return null;
}

const taskOf = (outcome: EnqueueOutcome, id: string): string => (outcome.kind === 'done' ? outcome.receipt.id : id);

/** A trigger's pattern was valid when it was stored, and keeps occurring. */
function occurrenceAfter(definition: CronTrigger, now: IsoTime): IsoTime {
  const next = nextOccurrence(definition, now);
  if (!('at' in next)) throw new Error(`Expected '${definition.cron}' to keep occurring, but: ${next.reason}`);
  return next.at;
}
