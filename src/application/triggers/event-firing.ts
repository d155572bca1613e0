import { Injectable } from '@nestjs/common';
import { AGGREGATES } from '../../domain/aggregates.js';
import type { Json } from '../../domain/kernel/json.js';
import type { EventOutcome, TriggerCommand } from '../../domain/trigger/trigger.commands.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { waitsForEvents } from '../../domain/trigger/event-pattern.js';
import type { EventTrigger, LeftOut, Recipient } from '../../domain/trigger/trigger.events.js';
import { type Notice, queueOf, taskOf } from '../deliveries/delivery.js';
import { NotTakenNow, Refused, StreamContentionError, UnreadableStream } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { derivedId } from '../kernel/derived-id.js';
import { followUpContext } from '../kernel/follow-up-context.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { ServiceTasks } from '../service-tasks/service-tasks.js';
import { type EnqueueOutcome, isPassing } from '../tasks/enqueue-item.js';
import { triggeredItem } from './triggered-item.js';
import { EnqueueTasks, EnqueueTasksHandler } from '../tasks/enqueue-tasks.handler.js';
import { deliveryOf, noticeOf } from './event-notice.js';
import { PAST_FIRINGS, type PastOrder, pastTaskOf } from './past-firing.js';
import { RecordedFirings } from './recorded-firings.js';
import { TriggerStates } from './trigger-states.port.js';

/** An event that a trigger waits for: to make its task, or to tell somebody that it fails. */
export interface Match {
  readonly trigger: string;
  readonly what: EventTrigger | Recipient;
  readonly recorded: RecordedEvent;
  /** The log did not deliver the event in its place, or the trigger begins with events of before. */
  readonly isLate?: true;
  /** The id of the replay that tells the event once more. Its tasks are no firings: the replay itself is recorded. */
  readonly replay?: string;
}

/** Tasks that are made at the same time, so that their commands share statements. */
const AT_ONCE = 100;

/** What a trigger did not make, from the first match that failed on. */
export interface Unfired {
  readonly rest: readonly Match[];
  readonly error: unknown;
}

/** Makes the tasks of events. The id of a task is derived from the trigger and the event, so each event makes one. */
@Injectable()
export class EventFiring {
  constructor(
    private readonly tasks: EnqueueTasksHandler,
    private readonly service: ServiceTasks,
    private readonly commands: StreamCommands,
    private readonly states: TriggerStates,
    private readonly clock: Clock,
    private readonly firings: RecordedFirings,
  ) {}

  /**
   * The matches are in the order of the log. Each trigger has a line of its own, which ends at its first error. The error is
   * `NotTakenNow` while the system drains.
   */
  async fire(matches: readonly Match[]): Promise<readonly Unfired[]> {
    const lines = linesOf(matches);
    const atOnce = Math.max(1, Math.floor(AT_ONCE / lines.length));
    const ends = await Promise.all(lines.map((line) => this.fireLine(line, atOnce)));
    return ends.filter((end) => end !== null);
  }

  /** Makes the task, or orders the delivery, of one event. */
  enqueue(
    trigger: string,
    what: EventTrigger | Recipient,
    { id, notice, context }: { readonly id: string | null; readonly notice: Notice; readonly context: CommandContext },
  ): Promise<EnqueueOutcome> {
    if ('task' in what) {
      const { payload, ...work } = triggeredItem(what.task, notice.time ?? this.clock.iso());
      const told = { ...(payload as Record<string, Json> | undefined), event: notice as unknown as Json };
      const cause = context.causationId === undefined ? {} : { context: context.causationId };
      return first(this.tasks.execute(new EnqueueTasks([{ ...work, ...cause, payload: told, taskId: id }], context)));
    }
    const delivery = deliveryOf(what, trigger, notice);
    return first(this.service.enqueue(queueOf(delivery), [taskOf(delivery, id)], context));
  }

  /** Records that the trigger makes nothing of the events up to this position that it owes. */
  async giveUp(trigger: string, position: bigint, dropped: LeftOut): Promise<void> {
    const command = { type: 'DropEvents', trigger, position: String(position), dropped, at: this.clock.iso() } as const;
    await this.order(trigger, command, String(position));
  }

  private async fireLine(line: readonly Match[], atOnce: number): Promise<Unfired | null> {
    for (let at = 0; at < line.length; at += atOnce) {
      try {
        await this.firePart(line.slice(at, at + atOnce));
      } catch (error) {
        return { rest: line.slice(at), error };
      }
    }
    return null;
  }

  private async firePart(part: readonly Match[]): Promise<void> {
    const made = await Promise.all(part.map((match) => this.make(match)));
    const own = made.filter((one) => one !== null).filter(isRecorded);
    if (own.length > 0) await this.record(own);
  }

  /** Orders that the triggers begin with events of before. Each order is a task, which the role `steward` carries out, and which has the id of its definition. */
  async orderPast(orders: readonly PastOrder[]): Promise<void> {
    for (const { trigger, after, recorded } of orders) {
      const task = pastTaskOf(derivedId('past of a trigger', recorded.id), {
        trigger,
        after,
        upTo: String(recorded.position),
      });
      const outcome = await first(this.service.enqueue(PAST_FIRINGS, [task], contextOf(trigger, recorded)));
      if (outcome.kind === 'refused' && outcome.rejection.code !== 'TASK_EXISTS')
        throw new NotTakenNow(
          `Expected trigger '${trigger}' to begin with past events, but: ${outcome.rejection.code}`,
        );
    }
  }

  /** Null if a task of a late event was there, and is recorded. */
  private async make({ trigger, what, recorded, isLate, replay }: Match): Promise<OwnedOutcome | null> {
    const id = derivedId(replay === undefined ? `trigger ${trigger}` : `replay ${replay}`, recorded.id);
    const context = { ...contextOf(trigger, recorded), ...(replay !== undefined && { correlationId: replay }) };
    const notice = { ...noticeOf(recorded), ...(replay !== undefined && { replay }) };
    const outcome = await this.enqueue(trigger, what, { id, notice, context });
    const position = String(recorded.position);
    const told = {
      trigger,
      occurrence: recorded.recordedAt,
      position,
      isOwn: isEventTrigger(what) && replay === undefined,
      ...(isLate && { isLate }),
    };
    if (outcome.kind === 'done') {
      const isKnown = isLate && !outcome.receipt.recorded && (await this.firings.have(trigger, id));
      return isKnown ? null : { ...told, task: outcome.receipt.id };
    }
    // It was made of an earlier definition, before the firing could be recorded.
    if (outcome.rejection.code === 'TASK_EXISTS')
      return isLate && (await this.firings.have(trigger, id)) ? null : { ...told, task: id };
    if (outcome.rejection.code === 'DRAINING')
      throw new NotTakenNow(`Expected trigger '${trigger}' to make its task, but the system drains`);
    if (isPassing(outcome.rejection)) throw new StreamContentionError(taskStream(id));
    return { ...told, problem: outcome.rejection };
  }

  private async record(made: readonly OwnedOutcome[]): Promise<void> {
    const [{ trigger, position }] = made as readonly [OwnedOutcome];
    const command = { type: 'RecordEvents', trigger, outcomes: made.map(outcomeOf), at: this.clock.iso() } as const;
    await this.order(trigger, command, position);
  }

  private async order(trigger: string, command: TriggerCommand, correlationId: string): Promise<void> {
    const context = { actor: `trigger:${trigger}`, correlationId };
    const stored = await this.states.named(trigger);
    await this.commands.runOn(AGGREGATES.trigger, trigger, command, context, { stored }).catch(unlessGone);
  }
}

type OwnedOutcome = EventOutcome & { readonly trigger: string; readonly isOwn: boolean };

/** A notice that a trigger fails is a delivery, and no firing of the trigger. */
const isRecorded = ({ isOwn }: OwnedOutcome): boolean => isOwn;

const isEventTrigger = (what: EventTrigger | Recipient): boolean => 'event' in what && waitsForEvents(what);

/** By trigger, in the order of the log. */
function linesOf(matches: readonly Match[]): readonly (readonly Match[])[] {
  const lines = new Map<string, Match[]>();
  for (const match of matches) {
    const line = lines.get(match.trigger);
    if (line) line.push(match);
    else lines.set(match.trigger, [match]);
  }
  return [...lines.values()];
}

const outcomeOf = ({ trigger: _trigger, isOwn: _isOwn, ...outcome }: OwnedOutcome): EventOutcome => outcome;

/**
 * Somebody deleted the trigger meanwhile, or its history cannot be read, which the quarantine reports. Its tasks stay, and the
 * others go on.
 */
function unlessGone(error: unknown): void {
  const isGone = error instanceof Refused && error.rejection.code === 'TRIGGER_NOT_FOUND';
  if (!isGone && !(error instanceof UnreadableStream)) throw error;
}

const first = async (outcomes: Promise<readonly EnqueueOutcome[]>): Promise<EnqueueOutcome> => (await outcomes)[0]!;

const contextOf = (trigger: string, event: Pick<RecordedEvent, 'id' | 'envelope'>): CommandContext =>
  followUpContext(`trigger:${trigger}`, event);
