import { Injectable } from '@nestjs/common';
import { LeaseRepository } from '../kernel/lease-repository.port.js';
import type { ClaimedTask } from './claim-source.port.js';
import { ClaimSource } from './claim-source.port.js';
import { standing } from './claimed-task.js';
import { parseClaimToken } from './claim-token.js';

/** The items of jobs: what triggers have claimed for them. They are leased to the job, and so to whoever runs it. */
@Injectable()
export class JobItems {
  constructor(
    private readonly source: ClaimSource,
    private readonly leases: LeaseRepository,
  ) {}

  /** The claimed tasks, and with each job the items that are still leased for it. */
  async grantedWith(tasks: readonly ClaimedTask[]): Promise<readonly ClaimedTask[]> {
    if (!tasks.some(isJob)) return tasks;
    return Promise.all(tasks.map(async (task) => (isJob(task) ? { ...task, items: await this.grant(task) } : task)));
  }

  /**
   * From now on the items have the secret of the job's lease, so a worker that had the job before can no longer report on
   * them. Repeated for the same claim of the job, it grants the same.
   */
  private async grant({ taskId: job, token, leaseMs }: ClaimedTask): Promise<readonly ClaimedTask[]> {
    await this.leases.passOn(job, { secret: parseClaimToken(token)!.secret, leaseMs });
    const { leases = [] } = (await this.source.earlier(job)) ?? {};
    const found = leases.flatMap((lease) => standing(lease) ?? []);
    return found.flatMap(({ task, state }) => (state.lease.job === job ? task : []));
  }
}

const isJob = ({ items }: ClaimedTask): boolean => items !== undefined;
