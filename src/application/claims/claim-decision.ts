import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import { runLimits } from '../../domain/task/run-limits.js';
import type { TaskCommandOf } from '../../domain/task/task.commands.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { Submission } from '../../domain/task/task.events.js';
import type { KnownTask, RunningTask, TaskState } from '../../domain/task/task.state.js';
import { msOf } from '../../domain/kernel/time.js';
import { ByteBudget } from '../../domain/kernel/byte-budget.js';
import { outsidePayloadIn } from '../../domain/task/outside-payload.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { envelopeOf } from '../kernel/envelope.js';
import type { AppendItem, Envelope } from '../kernel/event-store.port.js';
import { newId } from '../kernel/new-id.js';
import { rowDiffers } from '../kernel/disputes.js';
import { UnreadableStream } from '../kernel/unreadable-stream.js';
import type {
  ClaimDecisions,
  ClaimLease,
  ClaimQuota,
  ClaimRequest,
  DecidedClaim,
  PickedTask,
} from './claim-source.port.js';

/**
 * Decides whether each picked task is claimed. `now` must be read after the pick, or a task may seem not to be due yet.
 */
export function decideClaims(
  facts: QueueFacts,
  requests: readonly ClaimRequest[],
  picked: readonly PickedTask[],
  quota: ClaimQuota,
  now: Date,
): ClaimDecisions {
  const contexts = requests.map((request, at) => contextOf(request, quota.leases[at]!, facts, now));
  const claims: DecidedClaim[] = [];
  const unreadable: UnreadableStream[] = [];
  const room = new ByteBudget();
  let left = 0;
  for (const task of picked) {
    const request = quota.places[task.place]!;
    const decided = decideReadable(task, request, contexts[request]!);
    if (decided instanceof UnreadableStream) unreadable.push(decided);
    else if ('item' in decided) {
      if (left === 0 && room.take(bytesOutside(decided))) claims.push(decided);
      else left++;
    }
    // This is no race: whoever picked it has locked its row.
    else unreadable.push(rowDiffers(taskStream(task.taskId), `it is ${decided.status}, and ready`));
  }
  return { claims, besides: besides(quota, claims.length), unreadable, left };
}

/** What the answer has besides the history. Known before the payload is read. */
const bytesOutside = ({ state }: DecidedClaim): number => outsidePayloadIn(state.task.payload)?.bytes ?? 0;

/** A history of known events may still make no sense, such as if their data is damaged. That concerns one task. */
function decideReadable(task: PickedTask, request: number, context: ClaimContext) {
  try {
    return decideClaim(task, request, context);
  } catch (error) {
    return new UnreadableStream(taskStream(task.taskId), null, error);
  }
}

function besides({ alone, withTask }: ClaimQuota, claims: number): readonly AppendItem[] {
  if (alone) return [alone];
  return withTask && claims > 0 ? [withTask] : [];
}

/** What all tasks of one request have in common. */
interface ClaimContext {
  readonly request: ClaimRequest;
  readonly lease: ClaimLease;
  readonly envelope: Envelope;
  /** The envelope for tasks that were submitted within a context, by that context: one object each, so that a store serialises it once. */
  readonly within: Map<string, Envelope>;
  /** What the claims have in common. */
  readonly claim: Pick<
    TaskCommandOf<'ClaimTask'>,
    'by' | 'worker' | 'server' | 'build' | 'claimId' | 'leaseMs' | 'limits' | 'job' | 'offers' | 'needs'
  >;
  readonly now: string;
  readonly nowMs: number;
}

const contextOf = (
  request: ClaimRequest,
  lease: ClaimLease,
  { policy, policyVersion }: QueueFacts,
  now: Date,
): ClaimContext => ({
  request,
  lease,
  envelope: envelopeOf(request.context, policyVersion),
  within: new Map(),
  claim: claimOf(request, lease, policy),
  now: now.toISOString(),
  nowMs: now.getTime(),
});

const claimOf = (
  { worker, server, build, claimId, job, offers }: ClaimRequest,
  { leaseMs }: ClaimLease,
  policy: QueuePolicy,
): ClaimContext['claim'] => ({
  by: worker,
  worker,
  server,
  claimId,
  leaseMs,
  ...runLimits(policy),
  ...(build !== undefined && { build }),
  ...(job !== undefined && { job }),
  ...(policy.needs && { needs: policy.needs, offers }),
});

/** Returns the task's state if that allows no claim. */
function decideClaim(picked: PickedTask, request: number, context: ClaimContext): DecidedClaim | TaskState {
  const before = picked.history.reduce(taskDecider.evolve, taskDecider.initialState);
  const { lease, now, nowMs } = context;
  const { queue } = context.request;
  const waited = waitedMs(picked, before, nowMs);
  const decision = taskDecider.decide(
    { type: 'ClaimTask', now, token: picked.token, waitedMs: waited, ...context.claim },
    before,
  );
  if (decision.kind !== 'accepted') return before;
  const { submission } = (before as KnownTask).task;
  const item: AppendItem = {
    stream: taskStream(picked.taskId),
    expected: picked.revision,
    events: decision.events.map((event, at) => ({
      id: (at === 0 ? picked.eventId : null) ?? newId(),
      event,
      envelope: envelopeFor(submission, context),
    })),
    conditions: { queue: { name: queue, revision: picked.queueRevision } },
    leaseSecret: lease.secret,
    ...(context.request.limit && { leaseHolder: context.request.limit.holder }),
  };
  const state = decision.events.reduce(taskDecider.evolve, before) as RunningTask;
  return { request, item, picked, state };
}

/** A task that was submitted within a context runs within it. */
function envelopeFor({ context: causationId }: Submission, { envelope, within }: ClaimContext): Envelope {
  if (causationId === undefined) return envelope;
  const known = within.get(causationId) ?? { ...envelope, causationId };
  within.set(causationId, known);
  return known;
}

/** How long a worker could have taken the task: since it became pending or, if that is later, since it was due. */
function waitedMs({ waitingSince }: PickedTask, state: TaskState, nowMs: number): number {
  const dueAt = state.status === 'pending' ? state.task.dueAt : null;
  const eligibleAt = dueAt !== null && dueAt > waitingSince ? dueAt : waitingSince;
  return Math.max(0, nowMs - msOf(eligibleAt));
}
