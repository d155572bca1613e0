import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ClaimDesk, type ClaimAnswer, type ClaimRequest } from './claim-desk.port.js';
import { LeaseExpiry } from './lease-expiry.js';

export type { ClaimRefusal, Grant } from './claim-desk.port.js';

/**
 * Leases up to `max` tasks of a queue to a worker, waiting up to `waitMs` for the first. Nothing to give is an empty answer.
 * The same `claimId` again is answered with what it was granted.
 */
export class ClaimTasks extends Command<Omit<ClaimAnswer, 'reset'>> {
  constructor(readonly request: ClaimRequest) {
    super();
  }
}

@CommandHandler(ClaimTasks)
export class ClaimTasksHandler implements ICommandHandler<ClaimTasks> {
  constructor(
    private readonly desk: ClaimDesk,
    private readonly expiry: LeaseExpiry,
  ) {}

  /** Whoever takes a serial queue over first resets the task of the consumer before, and is then given it. */
  async execute({ request }: ClaimTasks): Promise<Omit<ClaimAnswer, 'reset'>> {
    for (;;) {
      const { reset, ...answer } = await this.desk.claim(request);
      if (reset === null) return answer;
      await this.expiry.expire([reset], request.context);
    }
  }
}
