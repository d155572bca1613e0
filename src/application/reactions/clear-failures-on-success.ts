import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import type { TaskEvent, TaskEventType } from '../../domain/task/task.events.js';
import { taskIdOf } from '../../domain/task/task.stream.js';
import type { RecordedEvent } from '../kernel/event-store.port.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { SupersedeFailures } from '../tasks/supersede-failures.handler.js';
import { reactionContext, type Reaction } from './reaction.js';

/**
 * When a task of a key succeeds, supersedes the key's failed tasks, whether older or newer, if the queue's policy says
 * so.
 */
@Injectable()
export class ClearFailuresOnSuccess implements Reaction {
  static readonly NAME = 'clear-failures-on-success';
  readonly name = ClearFailuresOnSuccess.NAME;
  readonly types: readonly TaskEventType[] = ['TaskSucceeded', 'TaskOverruled'];

  constructor(
    private readonly commands: CommandBus,
    private readonly queues: QueueDirectory,
  ) {}

  concerns(event: DomainEvent): boolean {
    return keyedSuccess(event as TaskEvent) !== null;
  }

  async react(recorded: RecordedEvent): Promise<void> {
    const { queue, key } = keyedSuccess(recorded.event as TaskEvent)!;
    if (!(await this.clears(queue))) return;
    const context = reactionContext(this.name, recorded);
    await this.commands.execute(new SupersedeFailures(queue, key, taskIdOf(recorded.stream), context));
  }

  private async clears(queue: string): Promise<boolean> {
    const { state } = await this.queues.get(queue);
    return 'queue' in state && state.queue.policy.clearFailuresOnSuccess;
  }
}

/** A success decided by an administrator counts like one reported by the worker. */
function keyedSuccess(event: TaskEvent): { readonly queue: string; readonly key: string } | null {
  if (event.type !== 'TaskSucceeded' && event.type !== 'TaskOverruled') return null;
  const { queue, key } = event.data;
  const succeeded = event.type === 'TaskSucceeded' || event.data.verdict === 'succeed';
  return succeeded && key !== undefined ? { queue, key } : null;
}
