import { Injectable } from '@nestjs/common';
import { taskDecider } from '../../domain/task/task.decider.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { rowDiffers } from '../kernel/disputes.js';
import type { UnreadableStream } from '../kernel/unreadable-stream.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { TaskStreamCommand } from '../tasks/task-stream-command.js';

export interface OverdueLease {
  readonly taskId: string;
  /** The fencing token's number. */
  readonly token: string;
  /** No heartbeat came for it since the claim. */
  readonly unheard?: boolean;
}

/** `stands`: the lease was extended meanwhile, or others were faster. `unknown`: the task does not run under it, or no more. */
export type Expiry = 'ended' | 'stands' | 'unknown';

/** Ends leases whose deadline has passed on the database's clock. */
@Injectable()
export class LeaseExpiry {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly queues: QueueDirectory,
  ) {}

  /** Returns how many leases ended. Skips leases that were extended or settled meanwhile. */
  async expire(leases: readonly OverdueLease[], context: CommandContext): Promise<number> {
    const now = this.clock.iso();
    const work = leases.map((lease) => this.expiryOf(lease, { now, by: context.actor }));
    const outcomes = await this.runner.runMany(taskDecider, work, context);
    return outcomes.filter(({ kind }) => kind === 'accepted').length;
  }

  /** Throws if the task cannot be read. */
  async expireOne(lease: OverdueLease, context: CommandContext): Promise<Expiry> {
    const work = this.expiryOf(lease, { now: this.clock.iso(), by: context.actor });
    const [outcome] = await this.runner.runMany(taskDecider, [work], context);
    if (outcome!.kind === 'unreadable' || outcome!.kind === 'failed') throw outcome!.error;
    if (outcome!.kind === 'accepted') return 'ended';
    return outcome!.kind === 'rejected' ? 'unknown' : 'stands';
  }

  /** Puts a task aside whose lease is overdue again and again, although its history says that it does not run. */
  async giveUp({ taskId, token }: OverdueLease): Promise<UnreadableStream> {
    const wrong = rowDiffers(taskStream(taskId), `no run, and the overdue lease ${token}`);
    await this.runner.setAside([wrong]);
    return wrong;
  }

  private expiryOf(
    { taskId, token, unheard }: OverdueLease,
    given: { readonly now: string; readonly by: string },
  ): TaskStreamCommand {
    return new TaskStreamCommand({
      taskId,
      load: 'cached',
      command: (conflictingTaskId, policy) => ({
        ...given,
        type: 'ExpireLease',
        token,
        unheard,
        policy,
        conflictingTaskId,
      }),
      conditions: { lease: { token, expired: true } },
      failOnKeyConflict: true,
      queues: this.queues,
    });
  }
}
