import { Injectable } from '@nestjs/common';
import type { CommandContext } from '../kernel/command-context.js';
import { DefineQueueHandler } from '../queues/define-queue.handler.js';
import { definitionOf, type ServiceQueue } from '../queues/service-queues.js';
import type { EnqueueItem, EnqueueOutcome } from '../tasks/enqueue-item.js';
import { EnqueueTasks, EnqueueTasksHandler } from '../tasks/enqueue-tasks.handler.js';

export type ServiceTask = Omit<EnqueueItem, 'queue'>;

/** Adds tasks to the service's own queues, in the name of whoever asked for them. */
@Injectable()
export class ServiceTasks {
  constructor(
    private readonly defineQueue: DefineQueueHandler,
    private readonly enqueueTasks: EnqueueTasksHandler,
  ) {}

  /** The first task defines the queue. */
  async enqueue(
    queue: ServiceQueue,
    tasks: readonly ServiceTask[],
    given: CommandContext,
  ): Promise<readonly EnqueueOutcome[]> {
    const context = { ...given, isService: true } as const;
    const items = tasks.map((task) => ({ ...task, queue: queue.name }));
    const outcomes = await this.enqueueTasks.execute(new EnqueueTasks(items, context));
    if (!outcomes.some(isWithoutQueue)) return outcomes;
    await this.define(queue, given);
    return this.enqueueTasks.execute(new EnqueueTasks(items, context));
  }

  /** Makes sure that the queue exists, for tasks that are added as part of a transaction. */
  async define(queue: ServiceQueue, given: CommandContext): Promise<void> {
    await this.defineQueue.execute(definitionOf(queue, given));
  }
}

const isWithoutQueue = (outcome: EnqueueOutcome): boolean =>
  outcome.kind === 'refused' && outcome.rejection.code === 'QUEUE_NOT_FOUND';
