import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskDecider } from '../../domain/task/task.decider.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { StreamContentionError } from '../kernel/stream-command.js';
import { KeyFailures } from './key-failures.port.js';

/** The failed tasks of a key, or one task. */
export type Failures = { readonly queue: string; readonly key: string } | { readonly task: string };

/** Supersedes tasks after a success, as far as they are failed or undecided. Returns how many it superseded. */
export class SupersedeFailures extends Command<number> {
  constructor(
    readonly failures: Failures,
    /** The task that succeeded. */
    readonly bySuccessOf: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(SupersedeFailures)
export class SupersedeFailuresHandler implements ICommandHandler<SupersedeFailures> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly failures: KeyFailures,
  ) {}

  async execute({ failures, bySuccessOf, context }: SupersedeFailures): Promise<number> {
    const failed = 'task' in failures ? [failures.task] : await this.failures.of(failures.queue, failures.key);
    const command = { type: 'SupersedeTask', bySuccessOf, now: this.clock.iso(), by: context.actor } as const;
    const work = failed.map((taskId) => ({ stream: taskStream(taskId), command, load: 'whole' as const }));
    const outcomes = await this.runner.runMany(taskDecider, work, context);
    const contended = outcomes.findIndex(({ kind }) => kind === 'contended');
    if (contended >= 0) throw new StreamContentionError(work[contended]!.stream);
    return outcomes.filter(({ kind }) => kind === 'accepted').length;
  }
}
