import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES, type Category, categoryOf, idOfStream } from '../../domain/aggregates.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import { TASK_CATEGORY } from '../../domain/task/task.stream.js';
import { IndexLook, NO_WAITERS, type Waiters } from '../bulk-operations/index-look.port.js';
import { EventStore } from '../kernel/event-store.port.js';
import type { UnitPart } from '../kernel/unit-of-work.js';
import { eventTriggers, firedBy } from '../triggers/fired-by.js';
import { TriggerStates } from '../triggers/trigger-states.port.js';
import { PreviewUnit } from './preview-unit.js';

/** What would be recorded about one task, queue, batch or other. */
export interface PreviewedChange {
  readonly stream: string;
  readonly id: string;
  /** Its states before and after; null where it does not exist, or has no states. */
  readonly from: string | null;
  readonly to: string | null;
  readonly events: readonly DomainEvent[];
}

/** What a command would do, decided at a position and not recorded. */
export interface CommandPreview {
  readonly position: bigint;
  /** Empty if everything is as the command wants it. */
  readonly changes: readonly PreviewedChange[];
  /** What an abort takes along or lets go; nothing with other commands. */
  readonly waiters: Waiters;
  /** How often each trigger would fire, by its name. */
  readonly triggers: Readonly<Record<string, number>>;
}

/** What a command does with the unit that it gets as a part of its context. Throws its refusal. Records nothing. */
export class PreviewCommand extends Command<CommandPreview> {
  constructor(readonly command: (unit: PreviewUnit) => Promise<unknown>) {
    super();
  }
}

/** The command runs as it is, in a unit of work that is never committed. */
@CommandHandler(PreviewCommand)
export class PreviewCommandHandler implements ICommandHandler<PreviewCommand> {
  constructor(
    private readonly store: EventStore,
    private readonly index: IndexLook,
    private readonly triggers: TriggerStates,
  ) {}

  async execute({ command }: PreviewCommand): Promise<CommandPreview> {
    // Read first: what changes from here on counts as changed since the preview.
    const position = await this.store.head();
    const unit = new PreviewUnit(this.store, this.index);
    await command(unit);
    const changes = unit.parts().map(changeIn);
    const [waiters, triggers] = await Promise.all([this.waitersOf(changes), this.firedBy(changes)]);
    return { position, changes, waiters, triggers };
  }

  private async waitersOf(changes: readonly PreviewedChange[]): Promise<Waiters> {
    const aborted = changes.filter(
      ({ stream, to, from }) => categoryOf(stream) === TASK_CATEGORY && to === 'aborted' && from !== 'aborted',
    );
    return aborted.length === 0 ? NO_WAITERS : this.index.waitersOf(aborted.map(({ id }) => id));
  }

  private async firedBy(changes: readonly PreviewedChange[]): Promise<Readonly<Record<string, number>>> {
    const waiting = await eventTriggers(this.triggers);
    const fired: Record<string, number> = {};
    for (const { events } of changes) for (const name of firedBy(waiting, events)) fired[name] = (fired[name] ?? 0) + 1;
    return fired;
  }
}

function changeIn({ stream, before, appended }: UnitPart): PreviewedChange {
  const events = appended.map(({ event }) => event);
  const earlier = before.map(({ event }) => event);
  const statusAfter = (all: readonly DomainEvent[]): string | null => statusOf(stream, all);
  const [from, to] = [statusAfter(earlier), statusAfter([...earlier, ...events])];
  return { stream, id: idOfStream(stream), from, to, events };
}

/** Of whichever kind of aggregate, whose stream has its events alone. */
interface AnyDecider {
  readonly initialState: unknown;
  readonly evolve: (state: unknown, event: DomainEvent) => unknown;
}

function statusOf(stream: string, events: readonly DomainEvent[]): string | null {
  const { initialState, evolve } = AGGREGATES[categoryOf(stream) as Category].decider as AnyDecider;
  const state = events.reduce(evolve, initialState);
  const { status } = state as { readonly status?: string };
  return status === undefined || status === 'unknown' ? null : status;
}
