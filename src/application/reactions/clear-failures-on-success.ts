import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import type { TaskEvent, TaskEventType } from '../../domain/task/task.events.js';
import { taskIdOf } from '../../domain/task/task.stream.js';
import type { RecordedEvent } from '../kernel/event-store.port.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { type Failures, SupersedeFailures } from '../tasks/supersede-failures.handler.js';
import { reactionContext, type Reaction } from './reaction.js';

/**
 * When a task succeeds, supersedes the failed tasks for which its success stands: those of its key, whether older or newer, if
 * the queue's policy says so, and the one that it ran again. If that one ran another again, its end says so, and the other is
 * superseded in its turn.
 */
@Injectable()
export class ClearFailuresOnSuccess implements Reaction {
  static readonly NAME = 'clear-failures-on-success';
  readonly name = ClearFailuresOnSuccess.NAME;
  readonly types: readonly TaskEventType[] = ['TaskSucceeded', 'TaskOverruled', 'TaskSuperseded'];

  constructor(
    private readonly commands: CommandBus,
    private readonly queues: QueueDirectory,
  ) {}

  concerns(event: DomainEvent): boolean {
    const { key, rerunOf } = outdatedBy(event as TaskEvent);
    return key !== undefined || rerunOf !== undefined;
  }

  async react(recorded: RecordedEvent): Promise<void> {
    const event = recorded.event as TaskEvent;
    const { key, rerunOf } = outdatedBy(event);
    const success = event.type === 'TaskSuperseded' ? event.data.bySuccessOf : taskIdOf(recorded.stream);
    const context = reactionContext(this.name, recorded);
    const { queue } = event.data;
    const supersede = (failures: Failures) =>
      this.commands.execute(new SupersedeFailures(failures, success, recorded.position, context));
    if (rerunOf !== undefined) await supersede({ task: rerunOf });
    if (key !== undefined && (await this.clears(queue))) await supersede({ queue, key });
  }

  private async clears(queue: string): Promise<boolean> {
    const { state } = await this.queues.get(queue);
    return 'queue' in state && state.queue.policy.clearFailuresOnSuccess;
  }
}

interface Outdated {
  /** The key whose failures no longer matter. */
  readonly key?: string;
  /** The task whose failure no longer matters. */
  readonly rerunOf?: string;
}

/** A success decided by an administrator counts like one reported by the worker. */
function outdatedBy({ type, data }: TaskEvent): Outdated {
  if (type === 'TaskSucceeded' || type === 'TaskSuperseded') return data;
  return type === 'TaskOverruled' && data.verdict === 'succeed' ? data : NOTHING;
}

const NOTHING: Outdated = {};
