import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskDecider } from '../../domain/task/task.decider.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { EventStore } from '../kernel/event-store.port.js';
import { StreamContentionError } from '../kernel/stream-command.js';
import { readable, readEach, UnreadableStream } from '../kernel/unreadable-stream.js';
import { failedSince } from './failed-since.js';
import { KeyFailures } from './key-failures.port.js';

/** The failed tasks of a key, or one task. */
export type Failures = { readonly queue: string; readonly key: string } | { readonly task: string };

/**
 * Supersedes tasks after a success, as far as they were failed or undecided by then and still are. A failure that came
 * later stays, however late the command is given. Returns how many it superseded. If one cannot be superseded now,
 * throws after it has dealt with the others.
 */
export class SupersedeFailures extends Command<number> {
  constructor(
    readonly failures: Failures,
    /** The task that succeeded. */
    readonly bySuccessOf: string,
    /** The position of the success. */
    readonly upTo: bigint,
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
    private readonly store: EventStore,
  ) {}

  async execute({ failures, bySuccessOf, upTo, context }: SupersedeFailures): Promise<number> {
    const found = await this.failedBy(upTo, failures);
    const unreadable = found.find((one) => one instanceof UnreadableStream);
    const streams = found.filter((one) => typeof one === 'string');
    const command = { type: 'SupersedeTask', bySuccessOf, now: this.clock.iso(), by: context.actor } as const;
    const work = streams.map((stream) => ({ stream, command, load: 'whole' as const }));
    const outcomes = await this.runner.runMany(taskDecider, work, context);
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome.kind === 'contended') throw new StreamContentionError(streams[at]!);
      if (outcome.kind === 'unreadable' || outcome.kind === 'failed') throw outcome.error;
    }
    if (unreadable) throw unreadable;
    return outcomes.filter(({ kind }) => kind === 'accepted').length;
  }

  /** The streams of the tasks whose failure is not later than `upTo`. */
  private async failedBy(upTo: bigint, failures: Failures): Promise<readonly (string | null | UnreadableStream)[]> {
    const tasks = 'task' in failures ? [failures.task] : await this.failures.of(failures.queue, failures.key);
    return readEach(
      tasks.map(taskStream),
      (streams) => this.store.readFirst(streams),
      (history, stream) => {
        const since = readable(stream, history.at(-1)?.position ?? null, () => failedSince(history));
        return since !== null && since <= upTo ? stream : null;
      },
    );
  }
}
