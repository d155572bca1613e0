import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskStream } from '../../domain/task/task.stream.js';
import type { ClaimAnswer, ClaimRequest } from './claim-source.port.js';
import { StreamContentionError } from '../kernel/stream-command.js';
import { BuildsAtWork } from './builds-at-work.js';
import { ClaimedPayloads } from './claimed-payloads.js';
import { assertNotReserved } from '../queues/reserved-queue.js';
import { TaskClaimer } from './task-claimer.js';
import { LeaseExpiry } from './lease-expiry.js';
import { WorkerPresence } from './worker-presence.port.js';

/** How often a reset is tried that fails. */
const ATTEMPTS = 3;

export type { ClaimRefusal, ClaimedTask } from './claim-source.port.js';

/**
 * Leases up to `max` tasks of a queue to a worker, waiting up to `waitMs` for the first. The answer is empty if no task
 * became ready. A claim repeated under the same `claimId` gets the same tasks.
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
    private readonly builds: BuildsAtWork,
    private readonly payloads: ClaimedPayloads,
  ) {}

  async execute({ request }: ClaimTasks): Promise<Omit<ClaimAnswer, 'reset'>> {
    assertNotReserved(request.queue, request.context);
    // A trigger is no worker.
    if (request.job !== undefined) return this.claim(request);
    const isAnswered = this.presence.asks(request);
    try {
      const answer = await this.claim(request);
      if (answer.tasks.length > 0) await this.builds.record(request);
      return { ...answer, tasks: await this.payloads.givenTo(answer.tasks, request.context) };
    } finally {
      isAnswered();
    }
  }

  /**
   * A worker that takes over a serial queue first resets the former consumer's task, and then claims it. Every attempt
   * is recorded. Throws `UnreadableStream` if the task cannot be read, or the reset fails several times, because the index
   * contradicts the task's history.
   */
  private async claim(request: ClaimRequest): Promise<Omit<ClaimAnswer, 'reset'>> {
    if (request.max === 0) return { tasks: [], position: null, refusal: null };
    for (let failures = 0; ;) {
      const { reset, ...answer } = await this.claimer.claim(request);
      if (reset === null) return answer;
      const expiry = await this.expiry.expireOne(reset, request.context);
      failures = expiry === 'ended' ? 0 : failures + 1;
      if (failures < ATTEMPTS) continue;
      throw expiry === 'unknown'
        ? await this.expiry.giveUp(reset)
        : new StreamContentionError(taskStream(reset.taskId));
    }
  }
}
