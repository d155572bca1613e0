import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { BuildEvent } from '../../domain/build/build.events.js';
import { buildStream } from '../../domain/build/build.stream.js';
import { failureGroupDecider, type Resolved } from '../../domain/failure-group/failure-group.decider.js';
import type { FailureGroupEvent } from '../../domain/failure-group/failure-group.events.js';
import { failureGroupStream } from '../../domain/failure-group/failure-group.stream.js';
import { FAILURE_TYPES, type FailureEvent, failureIn } from '../../domain/task/failures.events.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import { fold } from '../../domain/kernel/decider.js';
import { isReserved } from '../../domain/queue/reserved.policy.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { taskIdOf } from '../../domain/task/task.stream.js';
import { FailureGrouping } from '../failure-groups/failure-grouping.port.js';
import { ReturnFailureGroup } from '../failure-groups/return-failure-group.handler.js';
import { EventStore, type RecordedEvent } from '../kernel/event-store.port.js';
import { StreamsTogether } from '../kernel/streams-together.js';
import { reactionContext, type Reaction } from './reaction.js';

/**
 * Opens a group of failures again when a task fails like that after the group was resolved. The order of the log decides
 * what came after. An attempt of a build that began before the one that repaired the cause may still fail.
 */
@Injectable()
export class ReopenReturnedFailures implements Reaction {
  static readonly NAME = 'reopen-returned-failures';
  readonly name = ReopenReturnedFailures.NAME;
  readonly types: readonly string[] = FAILURE_TYPES;
  /** Most failures are of groups of which nobody has said anything, and many come together. */
  private readonly said: StreamsTogether;

  constructor(
    private readonly commands: CommandBus,
    private readonly store: EventStore,
    private readonly grouping: FailureGrouping,
  ) {
    this.said = new StreamsTogether(store);
  }

  concerns(event: DomainEvent): boolean {
    return failureIn(event as TaskEvent) !== null && !isReserved((event as FailureEvent).data.queue);
  }

  async react(recorded: RecordedEvent): Promise<void> {
    const { queue } = (recorded.event as FailureEvent).data;
    const group = this.grouping.groupOf(failureIn(recorded.event as TaskEvent)!);
    const resolved = await this.resolvedBefore(recorded.position, group);
    if (resolved === null || (await this.isOfEarlierBuild(recorded, resolved))) return;
    const failure = { group, queue, task: taskIdOf(recorded.stream), resolvedAt: resolved.at };
    await this.commands.execute(new ReturnFailureGroup(failure, reactionContext(this.name, recorded)));
  }

  private async resolvedBefore(position: bigint, group: string): Promise<Resolved | null> {
    const history = await this.said.read(failureGroupStream(group));
    const before = history.filter((one) => one.position < position).map(({ event }) => event as FailureGroupEvent);
    const state = fold(failureGroupDecider, before);
    return state.status === 'resolved' ? state : null;
  }

  private async isOfEarlierBuild({ stream, position, event }: RecordedEvent, { build }: Resolved): Promise<boolean> {
    if (build === null) return false;
    const { queue } = (event as FailureEvent).data;
    const [task, began] = await this.store.readStreams([stream, buildStream(queue)]);
    const claim = task!.findLast((one) => one.event.type === 'TaskClaimed' && one.position < position);
    const { build: ran } = (claim?.event.data ?? {}) as { readonly build?: string };
    const builds = began!.map((one) => (one.event as BuildEvent).data.build);
    return ran !== undefined && ran !== build && isBefore(builds.indexOf(ran), builds.indexOf(build));
  }
}

/** A build that has not begun comes after all others. */
const isBefore = (one: number, other: number): boolean => other < 0 || (one >= 0 && one < other);
