import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import { Refused } from '../../application/kernel/application-error.js';
import type { Receipt as CommandReceipt } from '../../application/kernel/command-context.js';
import { ChangePolicy } from '../../application/queues/change-policy.handler.js';
import { DefineQueue, type DefinitionReceipt as DefinedQueue } from '../../application/queues/define-queue.handler.js';
import type { PolicyChanges as Changes } from '../../application/queues/policy-changes.js';
import { erases } from '../../domain/queue/queue.policy.js';
import type { Retention } from '../../domain/queue/retention.policy.js';
import type { Bucket } from '../../projections/queue-history/bucket.js';
import { GetQueueHistoryAsOf } from '../../projections/queue-history/queue-history-as-of.query.js';
import { GetQueueHistory, type Moment } from '../../projections/queue-history/queue-history.query.js';
import { GetQueueStatsAsOf } from '../../projections/queue-stats/queue-stats-as-of.queries.js';
import { GetQueueStats } from '../../projections/queue-stats/queue-stats.queries.js';
import {
  BlamePolicy,
  DiffPolicyVersions,
  ListPolicyVersions,
} from '../../projections/queue-versions/queue-versions.queries.js';
import { GetRetention } from '../../projections/retention/retention.query.js';
import { ListQueuesAsOf } from '../../projections/queues/list-queues-as-of.query.js';
import { GetQueueAsOf } from '../../projections/queues/get-queue-as-of.query.js';
import { GetQueue, ListQueues, type QueueView as View } from '../../projections/queues/queues.queries.js';
import { SumWaits } from '../../projections/task-why/wait/sum-waits.query.js';
import { PolicyChange, type PolicyChanges, QueuePolicy } from '../dto/policy.dto.js';
import { TallyQueueAsOf } from '../../projections/tasks/tasks.queries.js';
import { PolicyBlame, PolicyDiff, PolicyDiffQuery, PolicyVersionPage } from '../dto/policy-version.dto.js';
import { PastPageQuery, PastQuery, PastQueueQuery, ReadQuery, StatsQuery } from '../dto/query.dto.js';
import {
  DefinitionReceipt,
  PauseQueueRequest,
  QueueDefinition,
  QueueList,
  QueueStatsDetails,
  QueueTally,
  QueueView,
} from '../dto/queue.dto.js';
import { RetentionQuery, RetentionView } from '../dto/retention.dto.js';
import { ReasonRequest } from '../dto/reason.dto.js';
import { Receipt } from '../dto/settlement.dto.js';
import { QueueWaits, WaitsQuery } from '../dto/wait.dto.js';
import { assertMayAll } from '../access/permissions.js';
import { CommandEndpoint, QueryEndpoint } from '../http/endpoint.js';
import type { Call } from '../operations/call.js';
import { definitionAnswer } from '../operations/outcomes.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { isoTime } from '../operations/iso-time.js';
import { InvalidInput } from '../input/invalid-input.js';
import { sinceOf } from '../input/since.js';
import { PastReads } from '../operations/past-reads.js';
import { Reads } from '../operations/reads.js';
import { commandOnQueue, onQueue } from '../operations/steps.js';
import { waitsOf } from '../operations/waits.js';

const POLICY_REFUSALS = [
  'ERASURE_NOT_POSSIBLE',
  'POLICY_CONTRADICTORY',
  'SEARCH_NOT_POSSIBLE',
  'LABEL_NOT_LIMITED',
  'NEEDS_NOT_POSSIBLE',
  'LABEL_VALUE_TWICE',
  'FAIR_LABEL_DIFFERS',
  'CRON_INVALID',
  'PAYLOAD_SCHEMA_INVALID',
  'AWAITED_QUEUE_NOT_FOUND',
  'QUEUES_WAIT_IN_CYCLE',
  'RESOURCE_NOT_FOUND',
] as const;
const REFUSES = ['QUEUE_NOT_FOUND', 'QUEUE_ILLEGAL_TRANSITION'] as const;

function renameAwaited(policy: { waitsFor?: string[] } | undefined, name: (queue: string) => string): void {
  if (policy?.waitsFor !== undefined) policy.waitsFor = policy.waitsFor.map(name);
}

/** What all operator commands on a queue have in common. */
const OPERATES_QUEUE = { on: 'queue', permission: 'operate', transaction: true, answers: Receipt } as const;

@ApiTags('queues')
@Controller('v1/queues')
export class QueuesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly reads: Reads,
    private readonly past: PastReads,
  ) {}

  @Put(':queue')
  @CommandEndpoint({
    ...OPERATES_QUEUE,
    summary: 'Define a queue',
    description:
      'Creates the queue. An existing queue stays unchanged, whoever changed it since, and the answer describes it; ' +
      '`replace` replaces its policy.',
    body: QueueDefinition,
    queues: ({ body }: Call<QueueDefinition>) => body.policy?.waitsFor ?? [],
    renameQueues: ({ body }: Call<QueueDefinition>, name) => renameAwaited(body.policy, name),
    bodyOptional: true,
    ifMatch: 'refused',
    answers: DefinitionReceipt,
    answerTo: (receipt: CommandReceipt) => definitionAnswer(receipt as DefinedQueue),
    creates: true,
    refuses: ['PRESET_NOT_FOUND', 'QUEUE_RESERVED', ...POLICY_REFUSALS],
  })
  defineQueue(call: Call<QueueDefinition>) {
    const { description = '', policy = {}, preset = null, replace } = call.body;
    assertMaySet(call, policy);
    return commandOnQueue(
      call,
      (context) => new DefineQueue(call.on, description, policyChanges(policy), context, preset, replace),
    );
  }

  @Get()
  @QueryEndpoint({
    summary: 'List queues',
    description: 'Ordered by name.',
    query: PastQueueQuery,
    answers: QueueList,
    refuses: ['HISTORY_NOT_READY'],
  })
  listQueues({ query }: Call<unknown, PastQueueQuery>) {
    const { minPosition, asOf, cursor = null, limit = PAGE, ...filter } = query;
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, cursor }, (moment) =>
        this.queries.execute(new ListQueuesAsOf({ moment, cursor, limit }, filter)),
      );
    return this.reads.from('queues', minPosition, () =>
      this.queries.execute(new ListQueues(cursor, limit, filter)).catch(asInvalidInput),
    );
  }

  @Get(':queue')
  @QueryEndpoint({
    on: 'queue',
    summary: 'Show a queue',
    query: PastQuery,
    answers: QueueView,
    refuses: ['QUEUE_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  async getQueue({ on: queue, query: { minPosition, asOf } }: Call<unknown, PastQuery>) {
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, absence: { code: 'QUEUE_NOT_FOUND', queue } }, (moment) =>
        this.queries.execute(new GetQueueAsOf(queue, moment)),
      );
    const answer = await this.reads.from('queues', minPosition, async () =>
      found(queue, await this.queries.execute(new GetQueue(queue))),
    );
    return { ...answer, policyVersion: answer.body.policyVersion };
  }

  @Get(':queue/tally')
  @QueryEndpoint({
    on: 'queue',
    summary: "Count a queue's tasks by state",
    query: PastQuery,
    answers: QueueTally,
    refuses: ['QUEUE_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  tallyQueue({ on: queue, query: { minPosition, asOf } }: Call<unknown, PastQuery>) {
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, absence: { code: 'QUEUE_NOT_FOUND', queue } }, async (moment) => ({
        view: { queue, counts: await this.queries.execute(new TallyQueueAsOf(queue, moment)) },
      }));
    return this.reads.from('queue-stats', minPosition, async () => {
      const { counts } = found(queue, await this.queries.execute(new GetQueueStats(queue)));
      return { queue, counts };
    });
  }

  @Delete(':queue')
  @CommandEndpoint({
    ...OPERATES_QUEUE,
    summary: 'Delete a queue without open tasks',
    query: ReasonRequest,
    refuses: [...REFUSES, 'QUEUE_NOT_EMPTY', 'QUEUE_AWAITED', 'QUEUE_RESERVED'],
  })
  deleteQueue(call: Call<unknown, ReasonRequest>) {
    return onQueue(call, { type: 'DeleteQueue' });
  }

  @Get(':queue/policy')
  @QueryEndpoint({
    on: 'queue',
    summary: "Show a queue's policy",
    onlyPresent: '`GET /v1/queues/{queue}` with `asOf` has the policy of then',
    description: 'The ETag is its version.',
    query: ReadQuery,
    answers: QueuePolicy,
    refuses: ['QUEUE_NOT_FOUND'],
  })
  async getPolicy(call: Call<unknown, ReadQuery>) {
    const { body, ...head } = await this.getQueue(call);
    return { ...head, body: (body as View).policy };
  }

  @Get(':queue/versions')
  @QueryEndpoint({
    on: 'queue',
    summary: "List the versions of a queue's policy",
    description: 'Who made each, when and why, and what it changed. The newest first; also of a deleted queue.',
    query: PastPageQuery,
    answers: PolicyVersionPage,
    refuses: ['QUEUE_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  listPolicyVersions({ on: queue, query: pages }: Call<unknown, PastPageQuery>) {
    const { minPosition, asOf, cursor = null, limit = PAGE } = pages;
    if (asOf !== undefined)
      return this.past.asOf(
        { asOf, minPosition, cursor, absence: { code: 'QUEUE_NOT_FOUND', queue } },
        async (moment) => ({
          view: found(queue, await this.queries.execute(new ListPolicyVersions(queue, cursor, limit, moment))),
        }),
      );
    const query = new ListPolicyVersions(queue, cursor, limit);
    return this.reads.from('queues', minPosition, async () =>
      found(queue, await this.queries.execute(query).catch(asInvalidInput)),
    );
  }

  @Get(':queue/versions/diff')
  @QueryEndpoint({
    on: 'queue',
    summary: "Show in which fields two versions of a queue's policy differ",
    onlyPresent: 'it compares two versions, and versions never change',
    query: PolicyDiffQuery,
    answers: PolicyDiff,
    refuses: ['QUEUE_NOT_FOUND'],
  })
  diffPolicyVersions({ on: queue, query }: Call<unknown, PolicyDiffQuery>) {
    const { minPosition, fromVersion, toVersion } = query;
    const diff = new DiffPolicyVersions(queue, fromVersion, toVersion);
    return this.reads.from('queues', minPosition, async () =>
      found(queue, await this.queries.execute(diff).catch(asInvalidInput)),
    );
  }

  @Get(':queue/blame')
  @QueryEndpoint({
    on: 'queue',
    summary: "Show who set each field of a queue's policy",
    description: 'For each field of the newest version: the version that set it, its actor, time and reason.',
    query: PastQuery,
    answers: PolicyBlame,
    refuses: ['QUEUE_NOT_FOUND', 'HISTORY_NOT_READY'],
  })
  blamePolicy({ on: queue, query: { minPosition, asOf } }: Call<unknown, PastQuery>) {
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, absence: { code: 'QUEUE_NOT_FOUND', queue } }, async (moment) => ({
        view: found(queue, await this.queries.execute(new BlamePolicy(queue, moment))),
      }));
    return this.reads.from('queues', minPosition, async () =>
      found(queue, await this.queries.execute(new BlamePolicy(queue))),
    );
  }

  @Put(':queue/policy')
  @ApiHeader({ name: 'If-Match', required: true, description: 'The ETag of the policy that you have read.' })
  @CommandEndpoint({
    ...OPERATES_QUEUE,
    summary: "Change fields of a queue's policy",
    description: 'Fields that you leave out keep their values.',
    body: PolicyChange,
    queues: ({ body }: Call<PolicyChange>) => body.waitsFor ?? [],
    renameQueues: ({ body }: Call<PolicyChange>, name) => renameAwaited(body, name),
    ifMatch: 'required',
    refuses: [...REFUSES, 'POLICY_VERSION_MISMATCH', 'PRECONDITION_REQUIRED', 'QUEUE_RESERVED', ...POLICY_REFUSALS],
  })
  changePolicy(call: Call<PolicyChange>) {
    const { reason: _inContext, ...policy } = call.body;
    assertMaySet(call, policy);
    return commandOnQueue(
      call,
      (context) => new ChangePolicy(call.on, null, policyChanges(policy), call.ifVersion!, context),
    );
  }

  @Post(':queue/pause')
  @CommandEndpoint({
    ...OPERATES_QUEUE,
    summary: 'Pause a queue',
    body: PauseQueueRequest,
    bodyOptional: true,
    refuses: [...REFUSES, 'PAUSE_IN_THE_PAST'],
  })
  pauseQueue(call: Call<PauseQueueRequest>) {
    const { reason = null, until = null } = call.body;
    return onQueue(call, { type: 'PauseQueue', reason, until: until && isoTime(until) });
  }

  @Post(':queue/resume')
  @CommandEndpoint({
    ...OPERATES_QUEUE,
    summary: 'Resume a queue',
    body: ReasonRequest,
    bodyOptional: true,
    refuses: REFUSES,
  })
  resumeQueue(call: Call<ReasonRequest>) {
    return onQueue(call, { type: 'ResumeQueue' });
  }

  @Post(':queue/close-intake')
  @CommandEndpoint({
    ...OPERATES_QUEUE,
    summary: 'Close the intake of a queue',
    body: ReasonRequest,
    bodyOptional: true,
    refuses: REFUSES,
  })
  closeIntake(call: Call<ReasonRequest>) {
    return onQueue(call, { type: 'CloseIntake', reason: call.body.reason ?? null });
  }

  @Post(':queue/open-intake')
  @CommandEndpoint({
    ...OPERATES_QUEUE,
    summary: 'Open the intake of a queue',
    body: ReasonRequest,
    bodyOptional: true,
    refuses: REFUSES,
  })
  openIntake(call: Call<ReasonRequest>) {
    return onQueue(call, { type: 'OpenIntake' });
  }

  @Post(':queue/finish')
  @CommandEndpoint({
    ...OPERATES_QUEUE,
    summary: 'Finish a queue whose tasks have all ended',
    body: ReasonRequest,
    bodyOptional: true,
    refuses: [...REFUSES, 'QUEUE_NOT_EMPTY'],
  })
  finishQueue(call: Call<ReasonRequest>) {
    return onQueue(call, { type: 'FinishQueue' });
  }

  @Post(':queue/reopen')
  @CommandEndpoint({
    ...OPERATES_QUEUE,
    summary: 'Reopen a finished queue',
    body: ReasonRequest,
    bodyOptional: true,
    refuses: REFUSES,
  })
  reopenQueue(call: Call<ReasonRequest>) {
    return onQueue(call, { type: 'ReopenQueue' });
  }

  @Get(':queue/stats')
  @QueryEndpoint({
    on: 'queue',
    summary: "Show a queue's statistics",
    description: 'With `from` and `to`, also shows what happened in that interval, in buckets of equal length.',
    query: StatsQuery,
    answers: QueueStatsDetails,
    refuses: ['QUEUE_NOT_FOUND', 'HISTORY_NOT_READY', 'READ_TOO_LONG'],
  })
  async getQueueStats({ on: queue, query }: Call<unknown, StatsQuery>) {
    const interval = intervalIn(query);
    const { asOf, minPosition } = query;
    if (asOf !== undefined)
      return this.past.asOf({ asOf, minPosition, absence: { code: 'QUEUE_NOT_FOUND', queue } }, async (moment) => {
        const { view, notRecorded } = await this.queries.execute(new GetQueueStatsAsOf(queue, moment));
        if (!interval) return { view, notRecorded };
        const history = await this.queries.execute(
          new GetQueueHistoryAsOf(new GetQueueHistory(queue, ...interval), moment),
        );
        return { view: { ...view, history }, notRecorded };
      });
    const stats = await this.reads.from('queue-stats', query.minPosition, async () =>
      found(queue, await this.queries.execute(new GetQueueStats(queue))),
    );
    if (!interval) return stats;
    const history = await this.reads.from('queue-history', query.minPosition, () =>
      this.queries.execute(new GetQueueHistory(queue, ...interval)).catch(asInvalidInput),
    );
    return { ...stats, body: { ...stats.body, history: history.body } };
  }

  @Get(':queue/waits')
  @QueryEndpoint({
    on: 'queue',
    summary: 'Show where the waiting time in a queue went',
    onlyPresent: '`from` and `to` choose its range',
    description:
      'Every time in the range in which a task of the queue was open and did not run, summed by the reason that `GET /v1/tasks/{id}/wait` gives. Also of tasks that have ended or left the lists since, and of a deleted queue. Read from the log: at most 10,000 tasks that may have waited, for at most 10 seconds.',
    query: WaitsQuery,
    answers: QueueWaits,
    refuses: ['QUEUE_NOT_FOUND', 'HISTORY_NOT_READY', 'READ_TOO_LONG'],
  })
  getQueueWaits({ on: queue, query: { from, to = 'now' } }: Call<unknown, WaitsQuery>) {
    return this.past.during({ from, to, absence: { code: 'QUEUE_NOT_FOUND', queue } }, async (moments) => ({
      view: waitsOf(await this.queries.execute(new SumWaits(queue, moments))),
    }));
  }

  @Get(':queue/retention')
  @QueryEndpoint({
    on: 'queue',
    summary: 'Preview which tasks leave the lists of a queue',
    onlyPresent: 'it previews what would leave the lists now',
    description:
      "Counts the ended tasks whose time in the lists is over by the queue's policy or, if you give days for some states, by " +
      'these alone. Changes nothing.',
    query: RetentionQuery,
    answers: RetentionView,
    refuses: ['QUEUE_NOT_FOUND'],
  })
  getRetention({ on: queue, query }: Call<unknown, RetentionQuery>) {
    return this.reads.from('tasks', query.minPosition, async () =>
      found(queue, await this.queries.execute(new GetRetention(queue, retentionIn(query)))),
    );
  }
}

/** The days that the query gives; null if it gives none. */
function retentionIn({ minPosition: _apart, ...days }: RetentionQuery): Partial<Retention> | null {
  return Object.values(days).some((given) => given !== undefined) ? days : null;
}

type Interval = readonly [from: Moment, to: Moment, bucket: Bucket | null];

function intervalIn({ from, to, bucket }: StatsQuery): Interval | null {
  if (from !== undefined && to !== undefined) return [sinceOf(from), sinceOf(to), bucket ?? null];
  if (from === undefined && to === undefined && bucket === undefined) return null;
  const missing = from === undefined ? 'from' : 'to';
  const detail = `Expected 'from' and 'to' together, but there is no '${missing}': add it, such as ${missing}=${missing === 'to' ? 'now' : '24h'}`;
  throw new InvalidInput([{ pointer: `#/query/${missing}`, detail }]);
}

function found<T>(queue: string, view: T | null): T {
  if (view === null) throw new Refused({ code: 'QUEUE_NOT_FOUND', queue });
  return view;
}

/** Converts a numeric concurrency of S1 to its name. */
function policyChanges({ concurrency, ...rest }: PolicyChanges): Changes {
  if (typeof concurrency !== 'number') return { ...rest, ...(concurrency !== undefined && { concurrency }) };
  return { ...rest, concurrency: concurrency === 0 ? 'serial' : { perServer: concurrency } };
}

/** Throws `FORBIDDEN` unless the caller may set the fields. */
function assertMaySet({ caller }: Call, policy: Parameters<typeof erases>[0]): void {
  if (erases(policy)) assertMayAll(caller.principal, 'erase');
}
