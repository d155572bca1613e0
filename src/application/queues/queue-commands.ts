import { Injectable } from '@nestjs/common';
import type { QueueCommandOf } from '../../domain/queue/queue.commands.js';
import { queueDecider } from '../../domain/queue/queue.decider.js';
import type { QueueState } from '../../domain/queue/queue.state.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import type { AppendConditions } from '../kernel/event-store.port.js';
import { keyOf } from '../kernel/idempotency.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { ResourceStates } from '../resources/resource-states.port.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { type QueueOrderCommand, QueueStreamCommand } from './queue-stream-command.js';

/** The members that every queue command begins with: the time, the actor and the queue. */
export type QueueCommandInput = Pick<QueueCommandOf<'PauseQueue'>, 'now' | 'by' | 'queue'>;

/** Runs one command on one queue. Throws a refusal as `Refused`. */
@Injectable()
export class QueueCommands {
  constructor(
    private readonly commands: StreamCommands,
    private readonly clock: Clock,
    private readonly queues: QueueDirectory,
    private readonly resources: ResourceStates,
  ) {}

  async run(
    name: string,
    command: (given: QueueCommandInput, state: QueueState) => QueueOrderCommand,
    context: CommandContext,
    conditions: AppendConditions = {},
  ): Promise<Receipt> {
    const given = { now: this.clock.iso(), by: context.actor, queue: name };
    const work = new QueueStreamCommand({
      name,
      command: (state) => command(given, state),
      conditions: { ...conditions, idempotencyKey: keyOf(context) },
      queues: this.queues,
      resources: this.resources,
      unit: context.unit,
    });
    try {
      return await this.commands.run(queueDecider, name, work, context);
    } finally {
      this.queues.forget(name);
    }
  }
}
