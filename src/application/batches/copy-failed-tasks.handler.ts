import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { fold } from '../../domain/kernel/decider.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import { mayRunAgain, rerunOf } from '../../domain/task/rerun.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { FailedTask } from '../../domain/task/task.state.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext } from '../kernel/command-context.js';
import { EventStore } from '../kernel/event-store.port.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import type { EnqueueItem } from '../tasks/enqueue-item.js';
import { EnqueueTasks } from '../tasks/enqueue-tasks.handler.js';
import { BatchMembers } from './batch-members.port.js';
import { copyOf, rerunBatchOf } from './rerun-ids.js';

const PAGE = 500;

/**
 * Copies the failed tasks of a batch into the one that runs them again, a page at a time. Returns where the next page begins;
 * null after the last. Copies that are there already are found again. A task whose key may have only one waiting task, and has
 * one, is left out. Throws `Refused` if a copy cannot be added.
 */
export class CopyFailedTasks extends Command<bigint | null> {
  constructor(
    /** The batch whose tasks have failed. */
    readonly batch: string,
    readonly page: bigint,
    /** The event within whose work the copies are made. */
    readonly within: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(CopyFailedTasks)
export class CopyFailedTasksHandler implements ICommandHandler<CopyFailedTasks> {
  constructor(
    private readonly bus: CommandBus,
    private readonly members: BatchMembers,
    private readonly store: EventStore,
    private readonly queues: QueueDirectory,
  ) {}

  async execute(command: CopyFailedTasks): Promise<bigint | null> {
    const members = await this.members.incomplete(command.batch, command.page, PAGE);
    const failed = members.filter(({ state }) => state === 'failed').map(({ taskId }) => taskId);
    // As many at once as are read at once, which is bounded in bytes.
    for (let at = 0; at < failed.length;) {
      const histories = await this.store.readFirst(failed.slice(at).map(taskStream));
      const states = histories.map((history) =>
        fold(
          taskDecider,
          history.map(({ event }) => event as TaskEvent),
        ),
      );
      const originals = states.flatMap((state, index) =>
        mayRunAgain(state) ? { id: failed[at + index]!, state } : [],
      );
      await this.copy(originals, command);
      at += histories.length;
    }
    return members.length < PAGE ? null : members.at(-1)!.seq;
  }

  private async copy(originals: readonly Original[], { batch, within, context }: CopyFailedTasks): Promise<void> {
    const names = new Set(originals.map(({ state }) => state.task.submission.queue));
    const { found } = await this.queues.getEach(names);
    const items = originals.map((original) => {
      const queue = found.get(original.state.task.submission.queue)?.state;
      return copied(original, batch, within, queue && 'queue' in queue ? queue.queue.policy : null);
    });
    for (const outcome of await this.bus.execute(new EnqueueTasks(items, context)))
      if (outcome.kind === 'refused' && !isStoodFor(outcome.rejection)) throw new Refused(outcome.rejection);
  }
}

/** The task that waits for the key runs for all failed tasks of the key: its success supersedes them. */
const isStoodFor = ({ code }: Refused['rejection']): boolean => code === 'KEY_ALREADY_WAITING';

interface Original {
  readonly id: string;
  readonly state: FailedTask;
}

/** Whether the queue takes the copy is decided when it is added. */
function copied({ id, state }: Original, batch: string, within: string, policy: QueuePolicy | null): EnqueueItem {
  const { submission, payload, priority } = state.task;
  const { queue, kind, key, reference, labels, description, needs, auditContext, steps = [] } = submission;
  return {
    taskId: copyOf(id, batch),
    queue,
    kind,
    priority,
    steps,
    batch: rerunBatchOf(batch),
    context: within,
    rerunOf: policy === null ? { task: id } : rerunOf(id, state, policy),
    ...(submission.payload !== undefined && { payload }),
    ...(key !== undefined && { key }),
    ...(reference !== undefined && { reference }),
    ...(auditContext !== undefined && { auditContext }),
    ...(labels !== undefined && { labels }),
    ...(description !== undefined && { description }),
    ...(needs !== undefined && { needs }),
  };
}
