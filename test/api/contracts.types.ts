import type { OperationId } from '@waybill/client';
import type * as Contracts from '@waybill/contracts';
import type { components, operations } from '../../packages/contracts/src/generated.js';

type Shown = components['schemas'];

/** Compiles only if everything that the service shows is what the contracts promise to readers. */
type Reads<Promised, Given extends Promised> = Given;
/** Compiles only if the service accepts everything that the contracts let a caller send. */
type Writes<Taken, Said extends Taken> = Said;

/**
 * Compares the hand-written types with the generated ones. A difference does not compile. Listed by the names of the
 * components.
 */
export type Answers = [
  Reads<Contracts.QueueView, Shown['QueueView']>,
  Reads<Contracts.QueueList, Shown['QueueList']>,
  Reads<Contracts.QueuePolicy, Shown['QueuePolicy']>,
  Reads<Contracts.QueueStats, Shown['QueueStats']>,
  Reads<Contracts.QueueStatsList, Shown['QueueStatsList']>,
  Reads<Contracts.EnqueueResult, Shown['EnqueueResult']>,
  Reads<Contracts.EnqueueManyResult, Shown['EnqueueManyResult']>,
  Reads<Contracts.TaskSummary, Shown['TaskSummary']>,
  Reads<Contracts.TaskDetails, Shown['TaskDetails']>,
  Reads<Contracts.TaskPage, Shown['TaskPage']>,
  Reads<Contracts.ClaimedTask, Shown['ClaimedTask']>,
  Reads<Contracts.ClaimResult, Shown['ClaimResult']>,
  Reads<Contracts.ExtendManyResult, Shown['ExtendManyResult']>,
  Reads<Contracts.ExtendResult, Shown['ExtendedLease']>,
  Reads<Contracts.SettleManyResult, Shown['SettleManyResult']>,
  Reads<Contracts.Receipt, Shown['Receipt']>,
  Reads<Contracts.Problem, Shown['Problem']>,
  Reads<Contracts.ProblemError, Shown['ProblemError']>,
  Reads<Contracts.EventView, Shown['EventView']>,
  Reads<Contracts.EventList, Shown['EventList']>,
  Reads<Contracts.WorkerList, Shown['WorkerList']>,
  Reads<Contracts.ProjectionList, Shown['ProjectionList']>,
];

export type Requests = [
  Writes<Shown['QueueDefinition'], Contracts.QueueDefinition>,
  Writes<Shown['PolicyChanges'], Contracts.PolicyChanges>,
  Writes<Shown['TaskSubmission'], Contracts.TaskSubmission>,
  Writes<Shown['EnqueueMany'], Contracts.EnqueueMany>,
  Writes<Shown['ClaimRequest'], Contracts.ClaimRequest>,
  Writes<Shown['ExtendMany'], Contracts.ExtendMany>,
  Writes<Shown['SettleMany'], Contracts.SettleMany>,
];

type Same<A, B> = [A, B] extends [B, A] ? true : never;

/** The client has the operations of the document, except the health checks, the metrics, and what others sign. */
export const sameOperations: Same<
  OperationId,
  Exclude<keyof operations, 'isLive' | 'isReady' | 'readMetrics' | 'takeDelivery'>
> = true;
