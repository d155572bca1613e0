import { Injectable } from '@nestjs/common';
import { TaskQueues } from '../../application/history/task-queues.js';
import { Refused, type Rejection } from '../../application/kernel/application-error.js';
import type { ApiKey } from '../access/api-keys.js';
import { type Permission, queuesOf } from '../access/grants.js';
import { ApiError } from '../problems/api-error.js';
import type { Call } from './call.js';
import type { Ids, Reach } from './operation.js';
import { renameIds } from './prerequisites.js';
import { QueueIds } from './queue-ids.js';
import { standInFor } from './stand-ins.js';
import { UUID_TEXT } from '../../domain/kernel/patterns.js';

/** A call, and members of the problem if it is refused. */
export interface ScopedCall {
  readonly call: Call;
  readonly data?: object;
}

type Covered = ReadonlySet<string>;
/** Whether an id is that of a task or batch outside of the queues. */
type IsOutside = (id: string, covered: Covered) => boolean;

/** Keeps an API key whose permission is for some queues to those. What is outside of them does not exist for it. */
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

  /**
   * The calls as they are carried out: with names instead of the ids of queues, and with ids that nobody has instead of
   * those of what is outside of the queues of their keys. Throws `FORBIDDEN` if a call names another queue, or may reach
   * any.
   */
  async admitted(asked: readonly ScopedCall[]): Promise<readonly Call[]> {
    const given = asked.map(({ call }) => call);
    if (!given.some((call) => Scopes.isLimited(call) || QueueIds.areIn(call))) return given;
    const covered = await Promise.all(given.map((call) => this.coveredBy(call)));
    const calls = await this.queueIds.replacedIn(given, covered);
    const reached = calls.map((call, at) => (covered[at] ? call.operation.reach(call) : 'leased'));
    const isOutside = await this.outsideOf(reached.flatMap((one) => (typeof one === 'object' ? one : [])));
    return calls.map((call, at) => {
      if (covered[at]) assertCovers({ ...asked[at], call }, reached[at]!, covered[at]);
      return covered[at] && reached[at] !== 'leased' ? narrowed(call, covered[at], isOutside) : call;
    });
  }

  /** The queues for which the key of the call has the permission; null if it has it for all, or needs none. */
  async coveredBy(call: Call): Promise<Covered | null> {
    if (!Scopes.isLimited(call)) return null;
    const { caller, operation } = call;
    return this.queueIds.namesIn(queuesOf(caller.principal!.may, operation.permissions) as Covered);
  }

  /**
   * The refusal as the key of the call may hear it. A report proves itself by a token: without one that is right, a task
   * outside of its queues does not exist. Other refusals do not name what is outside.
   */
  async visibleError(call: Call, error: unknown): Promise<unknown> {
    if (!(error instanceof Refused) || !Scopes.isLimited(call)) return error;
    const ids = JSON.stringify(error.rejection).match(UUIDS) ?? [];
    const isReport = call.operation.on === 'task' && call.operation.reach(call) === 'leased';
    const outside = await this.outside([...new Set(isReport ? [call.on] : ids)], call);
    const rejection = withoutQueues(error.rejection, (await this.coveredBy(call))!);
    if (outside.size === 0 && rejection === error.rejection) return error;
    return new Refused(isReport ? { code: 'TASK_NOT_FOUND' } : withoutIds(rejection, outside), error.index);
  }

  /** Those of the ids that are outside of the queues of the key of the call. */
  async outside(ids: readonly string[], call: Call): Promise<ReadonlySet<string>> {
    const covered = await this.coveredBy(call);
    if (!covered || ids.length === 0) return new Set();
    const isOutside = await this.outsideOf([{ tasks: ids, batches: [] }]);
    return new Set(ids.filter((id) => isOutside(id, covered)));
  }

  /** What is named as a task may be a batch, and the other way round. A batch that no task plans is outside of every queue. */
  private async outsideOf(named: readonly Ids[]): Promise<IsOutside> {
    const ids = named.flatMap(({ tasks, batches }) => [...tasks, ...batches]);
    const queues = new Map([...(await this.tasks.of(ids)), ...(await this.tasks.ofBatches(ids))]);
    return (id, covered) => queues.has(id) && !covered.has(queues.get(id) ?? '');
  }
}

const UUIDS = new RegExp(UUID_TEXT, 'g');

const withoutIds = (rejection: Rejection, ids: ReadonlySet<string>): Rejection =>
  JSON.parse(JSON.stringify(rejection).replace(UUIDS, (id) => (ids.has(id) ? 'hidden' : id))) as Rejection;

/** Names of queues that the caller has not given itself. */
function withoutQueues(rejection: Rejection, covered: Covered): Rejection {
  const shown = (queue: string): string => (covered.has(queue) ? queue : 'hidden');
  switch (rejection.code) {
    case 'QUEUE_AWAITED':
      return { ...rejection, by: shown(rejection.by) };
    case 'QUEUES_WAIT_IN_CYCLE':
      return { ...rejection, cycle: rejection.cycle.map(shown) };
    default:
      return rejection;
  }
}

function assertCovers({ call, data }: ScopedCall, reach: Reach, covered: Covered): void {
  if (reach === 'leased') return;
  const { principal, needed } = { principal: call.caller.principal!, needed: call.operation.permissions };
  if (reach === 'anything') throw outside(principal, needed, 'for all queues, because the request may reach any', data);
  const other = reach.queues.find((queue) => !covered.has(queue));
  if (other !== undefined) throw outside(principal, needed, `for queue '${other}'`, data);
}

function narrowed(call: Call, covered: Covered, isOutside: IsOutside): Call {
  const { operation, caller } = call;
  const name = (id: string): string => (isOutside(id, covered) ? standInFor(id, caller) : id);
  renameIds(operation.names(call), name);
  return operation.on === 'task' ? { ...call, on: name(call.on) } : call;
}

function outside(key: ApiKey, needed: readonly Permission[], where: string, data: object = {}): ApiError {
  const covered = [...(queuesOf(key.may, needed) as Covered)];
  const detail = `Expected an API key with the permission '${needed.join("' or '")}' ${where}, but that of '${key.name}' has it for '${covered.join("', '")}'`;
  return new ApiError('FORBIDDEN', detail, {}, data);
}
