import { Injectable } from '@nestjs/common';
import type { Json } from '../../domain/kernel/json.js';
import type { EventFiring as Firing } from '../../domain/trigger/trigger.commands.js';
import { waitsForEvents } from '../../domain/trigger/event-pattern.js';
import type { EventTrigger, FiringProblem, Recipient } from '../../domain/trigger/trigger.events.js';
import { type Notice, queueOf, taskOf } from '../deliveries/delivery.js';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { derivedId } from '../kernel/derived-id.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';
import { ServiceTasks } from '../service-tasks/service-tasks.js';
import { type EnqueueOutcome, isPassing } from '../tasks/enqueue-item.js';
import { EnqueueTasks, EnqueueTasksHandler } from '../tasks/enqueue-tasks.handler.js';
import { deliveryOf, noticeOf } from './event-notice.js';
import { TriggerCommands } from './trigger-commands.js';

/** An event that a trigger waits for: to make its task, or to tell somebody that it fails. */
export interface Match {
  readonly trigger: string;
  readonly what: EventTrigger | Recipient;
  readonly recorded: RecordedEvent;
}

/** The task of an event may be taken later, such as after a drain. */
export class NotTakenNow extends Error {
  override readonly name = 'NotTakenNow';
}

/** Makes the tasks of events. The id of a task is derived from the trigger and the event, so each event makes one. */
@Injectable()
export class EventFiring {
  constructor(
    private readonly tasks: EnqueueTasksHandler,
    private readonly service: ServiceTasks,
    private readonly triggers: TriggerCommands,
    private readonly clock: Clock,
  ) {}

  /** The matches are in the order of the log. Throws `NotTakenNow`. */
  async fire(matches: readonly Match[]): Promise<void> {
    const made = await Promise.all(matches.map((match) => this.make(match)));
    const own = made.filter(isRecorded);
    const triggers = [...new Set(own.map(({ trigger }) => trigger))];
    await Promise.all(
      triggers.map((name) =>
        this.record(
          name,
          own.filter(({ trigger }) => trigger === name),
        ),
      ),
    );
  }

  /** Makes the task, or orders the delivery, of one event. */
  enqueue(
    trigger: string,
    what: EventTrigger | Recipient,
    { id, notice, context }: { readonly id: string | null; readonly notice: Notice; readonly context: CommandContext },
  ): Promise<EnqueueOutcome> {
    if ('task' in what) {
      const { payload, ...work } = what.task;
      const told = { ...(payload as Record<string, Json> | undefined), event: notice as unknown as Json };
      const cause = context.causationId === undefined ? {} : { context: context.causationId };
      return first(this.tasks.execute(new EnqueueTasks([{ ...work, ...cause, payload: told, taskId: id }], context)));
    }
    const delivery = deliveryOf(what, trigger, notice);
    return first(this.service.enqueue(queueOf(delivery), [taskOf(delivery, id)], context));
  }

  private async make({ trigger, what, recorded }: Match): Promise<Made> {
    const id = derivedId(`trigger ${trigger}`, recorded.id);
    const context = contextOf(trigger, recorded);
    const outcome = await this.enqueue(trigger, what, { id, notice: noticeOf(recorded), context });
    const position = String(recorded.position);
    const told = { trigger, occurrence: recorded.recordedAt, position, isOwn: isEventTrigger(what) };
    if (outcome.kind === 'done') return { ...told, task: outcome.receipt.id };
    // It was made of an earlier definition, before the firing could be recorded.
    if (outcome.rejection.code === 'TASK_EXISTS') return { ...told, task: id };
    if (isPassing(outcome.rejection))
      throw new NotTakenNow(`Expected trigger '${trigger}' to make its task, but: ${outcome.rejection.code}`);
    return { ...told, problem: outcome.rejection };
  }

  /** In the order of the events: what was given up between two firings stands between them. */
  private async record(trigger: string, made: readonly Made[]): Promise<void> {
    const context = { actor: `trigger:${trigger}`, correlationId: made[0]!.position };
    const at = this.clock.iso();
    for (const run of runsOf(made)) {
      const [one] = run;
      const command =
        'problem' in one!
          ? ({ type: 'GiveUpEvent', trigger, ...pick(one!), problem: one!.problem } as const)
          : ({ type: 'RecordEventFirings', trigger, firings: run.map(firingOf), at } as const);
      await this.triggers.run(trigger, () => command, context).catch(unlessGone);
    }
  }
}

type Made = {
  readonly trigger: string;
  readonly occurrence: string;
  readonly position: string;
  readonly isOwn: boolean;
} & ({ readonly task: string } | { readonly problem: FiringProblem });

/** A notice that a trigger fails is a delivery, and no firing of the trigger. */
const isRecorded = ({ isOwn }: Made): boolean => isOwn;

const isEventTrigger = (what: EventTrigger | Recipient): boolean => 'event' in what && waitsForEvents(what);

const pick = ({ occurrence, position }: Made) => ({ occurrence, position });

const firingOf = (made: Made): Firing => ({ ...pick(made), task: (made as { readonly task: string }).task });

/** Neighbours that fired belong together; each failure stands alone. */
function runsOf(made: readonly Made[]): readonly (readonly Made[])[] {
  const runs: Made[][] = [];
  for (const one of made) {
    const last = runs.at(-1);
    if (last && 'task' in one && 'task' in last[0]!) last.push(one);
    else runs.push([one]);
  }
  return runs;
}

/** Somebody deleted the trigger meanwhile. Its tasks stay. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Refused && error.rejection.code === 'TRIGGER_NOT_FOUND')) throw error;
}

const first = async (outcomes: Promise<readonly EnqueueOutcome[]>): Promise<EnqueueOutcome> => (await outcomes)[0]!;

const contextOf = (trigger: string, { id, envelope }: RecordedEvent): CommandContext => ({
  actor: `trigger:${trigger}`,
  correlationId: envelope.correlationId,
  causationId: id,
  ...(envelope.tenant !== undefined && { tenant: envelope.tenant }),
});
