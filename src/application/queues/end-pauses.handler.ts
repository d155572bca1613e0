import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { queueDecider } from '../../domain/queue/queue.decider.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { QueueDirectory } from '../kernel/queue-directory.js';

/** The clock's side of pauses with an end. Answers how many queues were resumed; one whose pause stands is left alone. */
export class EndPauses extends Command<number> {
  constructor(
    readonly names: readonly string[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(EndPauses)
export class EndPausesHandler implements ICommandHandler<EndPauses> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly queues: QueueDirectory,
  ) {}

  async execute({ names, context }: EndPauses): Promise<number> {
    const command = { type: 'EndPause', now: this.clock.iso(), by: context.actor } as const;
    const work = names.map((name) => ({ stream: queueStream(name), command, load: 'fresh' as const }));
    const outcomes = await this.runner.runMany(queueDecider, work, context);
    for (const name of names) this.queues.forget(name);
    return outcomes.filter(({ kind }) => kind === 'accepted').length;
  }
}
