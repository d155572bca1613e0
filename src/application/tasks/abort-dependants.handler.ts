import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskDecider } from '../../domain/task/task.decider.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { EventStore, type RecordedEvent } from '../kernel/event-store.port.js';

/** A task that waits for an aborted one. */
export interface Dependant {
  readonly taskId: string;
  readonly prerequisite: string;
}

/**
 * Aborts the tasks that wait for aborted ones, with the reason, the actor and the correlation id of the prerequisite's
 * abort (S3-26). Returns how many were aborted. A task that several of them lead to is aborted once (S3-28).
 */
export class AbortDependants extends Command<number> {
  constructor(readonly dependants: readonly Dependant[]) {
    super();
  }
}

@CommandHandler(AbortDependants)
export class AbortDependantsHandler implements ICommandHandler<AbortDependants> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly store: EventStore,
  ) {}

  async execute({ dependants }: AbortDependants): Promise<number> {
    const prerequisites = [...new Set(dependants.map(({ prerequisite }) => prerequisite))];
    const histories = await this.store.readStreams(prerequisites.map(taskStream));
    let aborted = 0;
    for (const [at, prerequisite] of prerequisites.entries()) {
      const tasks = dependants.filter((one) => one.prerequisite === prerequisite).map(({ taskId }) => taskId);
      aborted += await this.abort(tasks, prerequisite, abortIn(histories[at]!));
    }
    return aborted;
  }

  private async abort(tasks: readonly string[], prerequisite: string, { id, envelope, by, reason }: Abort) {
    const command = { type: 'AbortTask', now: this.clock.iso(), by, reason, prerequisite } as const;
    const work = tasks.map((taskId) => ({ stream: taskStream(taskId), command, load: 'fresh' as const }));
    const { actor, correlationId, reason: given } = envelope;
    const context: CommandContext = {
      actor,
      correlationId,
      causationId: id,
      ...(given !== undefined && { reason: given }),
    };
    const outcomes = await this.runner.runMany(taskDecider, work, context);
    return outcomes.filter(({ kind }) => kind === 'accepted').length;
  }
}

interface Abort extends Pick<RecordedEvent, 'id' | 'envelope'> {
  readonly by: string;
  readonly reason: string | null;
}

function abortIn(history: readonly RecordedEvent[]): Abort {
  const { id, envelope, event } = history.findLast((recorded) => recorded.event.type === 'TaskAborted')!;
  const { by, reason = null } = event.data as { readonly by: string; readonly reason?: string };
  return { id, envelope, by, reason };
}
