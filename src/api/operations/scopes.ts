import { Injectable } from '@nestjs/common';
import { TaskQueues } from '../../application/history/task-queues.js';
import type { ApiKey } from '../access/api-keys.js';
import { type Permission, queuesOf } from '../access/grants.js';
import { ApiError } from '../problems/api-error.js';
import type { Call } from './call.js';
import { QueueIds } from './queue-ids.js';
import type { Reach } from './operation.js';

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
    const tasks = await this.tasks.of(reached.flatMap((one) => (isTask(one) ? [one.task] : [])));
    for (const [index, one] of limited.entries()) {
      const { caller, operation } = one.call;
      const covered = queuesOf(caller.principal!.may, operation.permissions) as ReadonlySet<string>;
      assertCovers(one, reached[index]!, tasks, await this.queueIds.namesIn(covered));
    }
  }
}

const isTask = (reach: Reach): reach is { readonly task: string } => typeof reach === 'object' && 'task' in reach;

/** A task that does not exist is in no queue. The operation says so. */
function assertCovers(
  { call, data }: Asked,
  reach: Reach,
  tasks: ReadonlyMap<string, string>,
  covered: ReadonlySet<string>,
): void {
  if (reach === 'leased') return;
  const { principal, needed } = { principal: call.caller.principal!, needed: call.operation.permissions };
  if (reach === 'anything') throw outside(principal, needed, 'for all queues, because the request may reach any', data);
  const reached = isTask(reach) ? [tasks.get(reach.task)].filter((queue) => queue !== undefined) : reach.queues;
  const other = reached.find((queue) => !covered.has(queue));
  if (other !== undefined) throw outside(principal, needed, `for queue '${other}'`, data);
}

function outside(key: ApiKey, needed: readonly Permission[], where: string, data: object = {}): ApiError {
  const covered = [...(queuesOf(key.may, needed) as ReadonlySet<string>)];
  const detail = `Expected an API key with the permission '${needed.join("' or '")}' ${where}, but that of '${key.name}' has it for '${covered.join("', '")}'`;
  return new ApiError('FORBIDDEN', detail, {}, data);
}
