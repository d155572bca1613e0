import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import type { Decider, DomainEvent } from '../../domain/kernel/decider.js';
import type { ErasedKind } from '../../domain/erased-by.js';
import { BatchStreamCommand } from '../batches/batch-stream-command.js';
import type { Rejection } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { refusalIn } from '../kernel/refusal-in.js';
import type { AnsweredCommand } from '../kernel/stream-commands.js';
import { TaskStreamCommand } from '../tasks/task-stream-command.js';

/** Why each cannot be erased, in their order; null if it has the event by now. */
type Refusals = readonly (Rejection | null)[];

/** Records of aggregates, in one append, that what they were about is erased. The halves are erased after that. */
export class RecordErased extends Command<Refusals> {
  constructor(
    readonly kind: ErasedKind,
    readonly ids: readonly string[],
    readonly erasure: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RecordErased)
export class RecordErasedHandler implements ICommandHandler<RecordErased> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ kind, ids, erasure, context }: RecordErased): Promise<Refusals> {
    const given = { now: this.clock.iso(), by: context.actor, erasure };
    switch (kind) {
      case 'task':
        return this.run(
          AGGREGATES.task.decider,
          ids.map((id) => taskCommand(id, given)),
          context,
        );
      case 'batch':
        return this.run(
          AGGREGATES.batch.decider,
          ids.map((id) => batchCommand(id, given)),
          context,
        );
    }
  }

  private async run<S, C, E extends DomainEvent, R extends Rejection>(
    decider: Decider<S, C, E, R>,
    work: readonly AnsweredCommand<S, C>[],
    context: CommandContext,
  ): Promise<Refusals> {
    const outcomes = await this.runner.runMany(decider, work, context);
    return outcomes.map((outcome, at) => refusalIn(outcome, work[at]!));
  }
}

interface Given {
  readonly now: string;
  readonly by: string;
  readonly erasure: string;
}

const taskCommand = (taskId: string, given: Given): TaskStreamCommand =>
  new TaskStreamCommand({ taskId, load: 'whole', command: () => ({ type: 'EraseTask', ...given }) });

const batchCommand = (batch: string, { now, erasure }: Given): BatchStreamCommand =>
  new BatchStreamCommand({ type: 'EraseBatch', batch, now, erasure }, {});
