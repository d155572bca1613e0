import { Injectable } from '@nestjs/common';
import { TaskQueues } from '../../application/history/task-queues.js';
import type { ApiKey } from '../access/api-keys.js';
import { type Permission, queuesOf } from '../access/grants.js';
import { ApiError } from '../problems/api-error.js';
import type { Call } from './call.js';
import { QueueIds } from './queue-ids.js';
import type { Ids, Reach } from './operation.js';

/** A call, and members of the problem if it is refused. */
export interface Asked {
  readonly call: Call;
  readonly data?: object;
}

/** Keeps an API key whose permission is for some queues to those. */
@Injectable()
export class Scopes {
  constructor(
    private readonly tasks: TaskQueues,
    private readonly queueIds: QueueIds,
  ) {}

  /** Whether what the call reaches must be looked at. False for nearly all keys, which then pay nothing. */
  static isLimited({ caller: { principal }, operation }: Call): boolean {
    return principal !== null && queuesOf(principal.may, operation.permissions) !== 'all';
  }

  /** Throws `FORBIDDEN` unless the keys of the calls cover what they reach. */
  async assertCover(asked: readonly Asked[]): Promise<void> {
    const limited = asked.filter(({ call }) => Scopes.isLimited(call));
    if (limited.length === 0) return;
    const reached = limited.map(({ call }) => call.operation.reach(call));
    const queues = await this.queuesOf(reached.flatMap((one) => (typeof one === 'object' ? one : [])));
    for (const [index, one] of limited.entries())
      assertCovers(one, reached[index]!, queues, (await this.coveredBy(one.call))!);
  }

  /** The queues for which the key of the call has the permission; null if it has it for all, or needs none. */
  async coveredBy(call: Call): Promise<ReadonlySet<string> | null> {
    if (!Scopes.isLimited(call)) return null;
    const { caller, operation } = call;
    return this.queueIds.namesIn(queuesOf(caller.principal!.may, operation.permissions) as ReadonlySet<string>);
  }

  private async queuesOf(ids: readonly Ids[]): Promise<ReadonlyMap<string, string | null>> {
    const tasks = await this.tasks.of(ids.flatMap((one) => one.tasks));
    const batches = await this.tasks.ofBatches(ids.flatMap((one) => one.batches));
    return new Map([...tasks, ...batches]);
  }
}

/**
 * A task or batch that does not exist is in no queue; the operation says so. It may be one that the same request makes.
 * A batch that no task plans is outside of every queue.
 */
function assertCovers(
  { call, data }: Asked,
  reach: Reach,
  queues: ReadonlyMap<string, string | null>,
  covered: ReadonlySet<string>,
): void {
  if (reach === 'leased') return;
  const { principal, needed } = { principal: call.caller.principal!, needed: call.operation.permissions };
  if (reach === 'anything') throw outside(principal, needed, 'for all queues, because the request may reach any', data);
  const named = [...reach.tasks, ...reach.batches].map((id) => queues.get(id)).filter((queue) => queue !== undefined);
  const other = [...reach.queues, ...named].find((queue) => queue === null || !covered.has(queue));
  if (other === null)
    throw outside(principal, needed, 'for all queues, because the request names a batch of none', data);
  if (other !== undefined) throw outside(principal, needed, `for queue '${other}'`, data);
}

function outside(key: ApiKey, needed: readonly Permission[], where: string, data: object = {}): ApiError {
  const covered = [...(queuesOf(key.may, needed) as ReadonlySet<string>)];
  const detail = `Expected an API key with the permission '${needed.join("' or '")}' ${where}, but that of '${key.name}' has it for '${covered.join("', '")}'`;
  return new ApiError('FORBIDDEN', detail, {}, data);
}
