import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskStream } from '../../domain/task/task.stream.js';
import { ATTEMPTS, StreamContentionError } from '../kernel/stream-command.js';
import type { ClaimAnswer, ClaimRequest } from './claim-source.port.js';
import { TaskClaimer } from './task-claimer.js';
import { LeaseExpiry } from './lease-expiry.js';
import { WorkerPresence } from './worker-presence.port.js';

export type { ClaimRefusal, ClaimedTask } from './claim-source.port.js';

/**
 * Leases up to `max` tasks of a queue to a worker, waiting up to `waitMs` for the first. Nothing to give is an empty answer.
 * The same `claimId` again is answered with the tasks that it got.
 */
export class ClaimTasks extends Command<Omit<ClaimAnswer, 'reset'>> {
  constructor(readonly request: ClaimRequest) {
    super();
  }
}

@CommandHandler(ClaimTasks)
export class ClaimTasksHandler implements ICommandHandler<ClaimTasks> {
  constructor(
    private readonly claimer: TaskClaimer,
    private readonly expiry: LeaseExpiry,
    private readonly presence: WorkerPresence,
  ) {}

  async execute({ request }: ClaimTasks): Promise<Omit<ClaimAnswer, 'reset'>> {
    const isAnswered = this.presence.asks(request);
    try {
      return await this.claim(request);
    } finally {
      isAnswered();
    }
  }

  /**
   * Whoever takes a serial queue over first resets the task of the consumer before, and is then given it. Every try is recorded: where
   * the task cannot be reset time and again, because the index contradicts its history, the worker is told to try again later.
   */
  private async claim(request: ClaimRequest): Promise<Omit<ClaimAnswer, 'reset'>> {
    for (let failures = 0; ;) {
      const { reset, ...answer } = await this.claimer.claim(request);
      if (reset === null) return answer;
      failures = (await this.expiry.expire([reset], request.context)) > 0 ? 0 : failures + 1;
      if (failures === ATTEMPTS) throw new StreamContentionError(taskStream(reset.taskId));
    }
  }
}
