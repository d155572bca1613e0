import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../kernel/command-context.js';
import { ClaimDesk, type Grant } from './claim-desk.port.js';

export type { Grant } from './claim-desk.port.js';

/**
 * Leases up to `max` tasks of a queue to a worker, waiting up to `waitMs` for the first. Nothing to give is an empty answer.
 * The same `claimId` again is answered with what it was granted.
 */
export class ClaimTasks extends Command<readonly Grant[]> {
  constructor(
    readonly queue: string,
    readonly worker: string,
    readonly server: string,
    readonly max: number,
    readonly waitMs: number,
    /** Null leaves the lease's length to the queue's policy. */
    readonly leaseMs: number | null,
    readonly claimId: string,
    /** Aborts when the caller is gone. */
    readonly signal: AbortSignal,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ClaimTasks)
export class ClaimTasksHandler implements ICommandHandler<ClaimTasks> {
  constructor(private readonly desk: ClaimDesk) {}

  execute(request: ClaimTasks): Promise<readonly Grant[]> {
    return this.desk.claim(request);
  }
}
