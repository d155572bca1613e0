import { ListBatchReportsAsOfHandler, ListBatchReportsHandler } from './batches/batch-reports.queries.js';
import { TallyBatchHandler } from './batches/batch-tally.query.js';
import { GetBatchAsOfHandler, ListBatchesAsOfHandler, TallyBatchAsOfHandler } from './batches/batches-as-of.queries.js';
import { PastBatches } from './batches/past-batches.js';
import { PastMembers } from './batches/past-members.js';
import { GetBatchHandler, ListBatchesHandler } from './batches/batches.queries.js';
import type { AggregateModel } from './kernel/aggregate-models.js';
import { ListChangesHandler, SumChangesHandler } from './changes/changes.queries.js';
import { CheckpointEntity } from './kernel/checkpoint.entity.js';
import type { Projection } from './kernel/projection.js';
import { FAILURE_GROUP_QUERIES } from './failure-groups/failure-groups.queries.js';
import { failureGroups, failureGroupsBy } from './failure-groups/failure-groups.projection.js';
import type { GroupOf } from './kernel/grouping.js';
import { GetResourceHandler, ListResourcesHandler } from './resources/resources.queries.js';
import { GetHoldHandler, ListHoldsHandler } from './holds/holds.queries.js';
import { GetProjectionLagHandler } from './lag/lag.queries.js';
import {
  GetQueueOutlookHandler,
  ListRemainingTasksHandler,
  CountRunningTasksHandler,
  ListRunningTasksHandler,
} from './queue-deletions/queue-deletions.queries.js';
import { queueHistory } from './queue-history/queue-history.projection.js';
import { GetQueueHistoryAsOfHandler } from './queue-history/queue-history-as-of.query.js';
import { GetQueueHistoryHandler } from './queue-history/queue-history.query.js';
import { queueStats } from './queue-stats/queue-stats.projection.js';
import { GetQueueStatsHandler, ListQueueStatsHandler } from './queue-stats/queue-stats.queries.js';
import { GetQueueStatsAsOfHandler, ListQueueStatsAsOfHandler } from './queue-stats/queue-stats-as-of.queries.js';
import { StandingThen } from './queue-stats/standing-then.js';
import { SummariseQueuesHandler } from './queue-stats/queue-summaries.query.js';
import { GetLineageHandler } from './lineage/get-lineage.query.js';
import { ListOverlapsHandler } from './overlaps/list-overlaps.query.js';
import { QueueEntity } from './queues/queue.entity.js';
import { GetNamedAsOfHandler, ListNamedAsOfHandler } from './kernel/named-as-of.js';
import { GetQueueAsOfHandler } from './queues/get-queue-as-of.query.js';
import { ListQueuesAsOfHandler } from './queues/list-queues-as-of.query.js';
import { PastQueues } from './queues/past-queues.js';
import { ListLimitsHandler } from './queues/list-limits.query.js';
import { FindQueueNamesHandler, GetQueueHandler, ListQueuesHandler } from './queues/queues.queries.js';
import { GetRetentionHandler } from './retention/retention.query.js';
import { GetBatchGraphAsOfHandler, GetTaskGraphAsOfHandler } from './task-graph/graph-as-of.queries.js';
import { PastGraph } from './task-graph/past-graph.js';
import { PastWaiters } from './task-graph/past-waiters.js';
import { GetBatchGraphHandler, GetTaskGraphHandler } from './task-graph/graph.queries.js';
import { ExplainTaskAsOfHandler } from './task-why/explain-task-as-of.query.js';
import { ExplainTaskHandler } from './task-why/explain-task.query.js';
import { PastFacts } from './task-why/past-facts.js';
import { ExplainWaitHandler } from './task-why/wait/explain-wait.query.js';
import { PastWaits } from './task-why/wait/past-waits.js';
import { QueueActivity } from './task-why/wait/queue-activity.js';
import { SumWaitsHandler } from './task-why/wait/sum-waits.query.js';
import { PastSurroundings } from './task-why/past-surroundings.js';
import { KnownTaskEntity, TaskEntity } from './tasks/task.entity.js';
import { TASK_QUERY_HANDLERS } from './tasks/tasks.queries.js';
import { GetLogHandler } from './seals/get-log.query.js';
import { GetSealHandler } from './seals/get-seal.query.js';
import { GetErasureCertificateHandler } from './seals/get-erasure-certificate.query.js';
import { GetTaskProofHandler } from './seals/get-task-proof.query.js';
import { GetLeafPlaceHandler, GetLogPartsHandler } from './seals/log-parts.queries.js';
import { SealSources } from './seals/sealed-up-to.js';
import { ListLogKeysHandler } from './seals/list-log-keys.query.js';
import { ListSealsHandler } from './seals/list-seals.query.js';
import { GetCheckpointHandler, GetTileHandler } from './seals/tile-log.queries.js';
import { ListLeadersHandler } from './system/leaders.queries.js';
import { GetDrainAsOfHandler } from './system/get-drain-as-of.query.js';
import { CountedSinceHandler } from './system/counted-since.query.js';
import { GetSystemHandler } from './system/system.queries.js';
import { TriggerEntity } from './triggers/trigger.entity.js';
import { GetTriggerHandler, ListTriggersHandler } from './triggers/triggers.queries.js';
import { ListViewsHandler } from './views/views.queries.js';
import {
  BlamePolicyHandler,
  DiffPolicyVersionsHandler,
  ListPolicyVersionsHandler,
} from './queue-versions/queue-versions.queries.js';
import { workerRoster } from './worker-roster/worker-roster.projection.js';
import { ListWorkersAsOfHandler } from './worker-roster/list-workers-as-of.query.js';
import { ListWorkersHandler } from './worker-roster/worker-roster.queries.js';

/**
 * The follower that writes the index, and the aggregates' models, when the events are in another store.
 */
export const INDEX_FOLLOWER = 'dispatch-index';

const FOLLOWING = {
  'queue-stats': queueStats,
  'queue-history': queueHistory,
  'worker-roster': workerRoster,
  'failure-groups': failureGroups,
} as const satisfies Readonly<Record<string, Projection<never>>>;

/** The models that follow the log. */
export const FOLLOWED: readonly Projection<never>[] = Object.values(FOLLOWING);

/** The follower that writes lineage and overlaps. Its rules look into the log, so it is no projection. */
export const LINEAGE = {
  name: 'lineage',
  version: 1,
  tables: [
    { name: 'lineage', key: { cause: 'uuid', effect: 'uuid', kind: 'smallint' } },
    { name: 'attempt_overlaps', key: { position: 'bigint' } },
  ],
} as const;

/** The followers whose rows are built anew if they may lack events. */
export const BUILT_ANEW: readonly string[] = [...FOLLOWED.map(({ name }) => name), LINEAGE.name];

/** The same, with failures in the groups of the configuration. */
export const followedBy = (groupOf: GroupOf): readonly Projection<never>[] =>
  FOLLOWED.map((model) => (model === failureGroups ? failureGroupsBy(groupOf) : model));

export type ReadModel = AggregateModel | keyof typeof FOLLOWING | typeof LINEAGE.name;

/** For the read side's data source. */
export const ENTITIES = [CheckpointEntity, QueueEntity, TaskEntity, KnownTaskEntity, TriggerEntity];

/** For the query bus. */
export const QUERY_HANDLERS = [
  ...TASK_QUERY_HANDLERS,
  ...FAILURE_GROUP_QUERIES,
  ExplainTaskAsOfHandler,
  ExplainTaskHandler,
  ExplainWaitHandler,
  FindQueueNamesHandler,
  GetBatchGraphAsOfHandler,
  GetBatchGraphHandler,
  GetBatchHandler,
  GetBatchAsOfHandler,
  ListBatchesAsOfHandler,
  TallyBatchAsOfHandler,
  PastBatches,
  PastMembers,
  PastQueues,
  GetHoldHandler,
  GetProjectionLagHandler,
  GetLineageHandler,
  ListOverlapsHandler,
  GetNamedAsOfHandler,
  ListNamedAsOfHandler,
  GetQueueAsOfHandler,
  GetQueueHandler,
  GetQueueHistoryAsOfHandler,
  GetQueueHistoryHandler,
  GetQueueOutlookHandler,
  GetQueueStatsAsOfHandler,
  GetQueueStatsHandler,
  GetRetentionHandler,
  GetTriggerHandler,
  GetDrainAsOfHandler,
  GetSystemHandler,
  CountedSinceHandler,
  GetTaskGraphAsOfHandler,
  GetTaskGraphHandler,
  PastGraph,
  PastWaiters,
  PastFacts,
  PastSurroundings,
  PastWaits,
  QueueActivity,
  SumWaitsHandler,
  BlamePolicyHandler,
  DiffPolicyVersionsHandler,
  ListPolicyVersionsHandler,
  ListChangesHandler,
  SumChangesHandler,
  ListBatchesHandler,
  ListBatchReportsHandler,
  ListBatchReportsAsOfHandler,
  ListHoldsHandler,
  GetResourceHandler,
  ListResourcesHandler,
  GetLogHandler,
  GetLeafPlaceHandler,
  GetLogPartsHandler,
  GetSealHandler,
  GetTaskProofHandler,
  GetErasureCertificateHandler,
  SealSources,
  ListLogKeysHandler,
  ListSealsHandler,
  GetCheckpointHandler,
  GetTileHandler,
  ListLeadersHandler,
  ListLimitsHandler,
  ListQueuesHandler,
  ListQueuesAsOfHandler,
  ListRemainingTasksHandler,
  CountRunningTasksHandler,
  ListRunningTasksHandler,
  ListQueueStatsAsOfHandler,
  ListQueueStatsHandler,
  StandingThen,
  ListTriggersHandler,
  ListViewsHandler,
  ListWorkersAsOfHandler,
  ListWorkersHandler,
  SummariseQueuesHandler,
  TallyBatchHandler,
];
