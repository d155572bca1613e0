import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskStream } from '../../domain/task/task.stream.js';
import type { CommandContext } from '../kernel/command-context.js';
import { newId } from '../kernel/new-id.js';
import { StreamContentionError } from '../kernel/stream-command.js';
import { ClaimService } from './claim-service.js';
import type { ClaimRequest } from './claim-source.port.js';
import { LeaseExpiry } from './lease-expiry.js';

/**
 * Takes serial queues over from consumers that fell silent, as a worker would, but without claiming a task: their attempts are
 * lost, and the next worker gets these tasks first. Returns how many. Leaves queues alone whose consumers have reported meanwhile.
 */
export class TakeFromSilentConsumers extends Command<number> {
  constructor(
    readonly queues: readonly string[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(TakeFromSilentConsumers)
export class TakeFromSilentConsumersHandler implements ICommandHandler<TakeFromSilentConsumers> {
  constructor(
    private readonly claims: ClaimService,
    private readonly expiry: LeaseExpiry,
  ) {}

  async execute({ queues, context }: TakeFromSilentConsumers): Promise<number> {
    let taken = 0;
    for (const queue of queues) if (await this.takeFrom(queue, context)) taken++;
    return taken;
  }

  private async takeFrom(queue: string, context: CommandContext): Promise<boolean> {
    const [answer] = await this.claims.serve(queue, [takeoverOf(queue, context)]);
    if (answer instanceof Error) throw answer;
    const reset = answer === 'next-round' ? null : answer!.reset;
    if (!reset) return false;
    // The takeover is recorded, so a repetition at once would record another one.
    if ((await this.expiry.expireOne(reset, context)) !== 'ended')
      throw new StreamContentionError(taskStream(reset.taskId));
    return true;
  }
}

/** A request for no task. */
const takeoverOf = (queue: string, context: CommandContext): ClaimRequest => ({
  queue,
  worker: context.actor,
  server: context.actor,
  max: 0,
  waitMs: 0,
  leaseMs: null,
  claimId: newId(),
  signal: new AbortController().signal,
  context,
});
