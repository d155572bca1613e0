import type { ClaimRequest } from '../../application/claims/task-claimer.port.js';
import { envelopeOf } from '../../application/kernel/envelope.js';
import type { AppendItem, Envelope } from '../../application/kernel/event-store.port.js';
import { newId } from '../../application/kernel/new-id.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { RunningTask, TaskState } from '../../domain/task/task.state.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { PickedTask } from './picked-tasks.js';

/** What is the same for all tasks of one request. */
export interface ClaimContext {
  /** The request's index. */
  readonly index: number;
  readonly request: ClaimRequest;
  readonly secret: string;
  readonly leaseMs: number;
  readonly envelope: Envelope;
  readonly now: string;
  readonly nowMs: number;
}

/** A picked task with the decision on it: what to append, and what its worker gets once that is stored. */
export interface DecidedClaim {
  readonly request: number;
  readonly item: AppendItem;
  readonly state: RunningTask;
  readonly picked: PickedTask;
}

/** `now`: after the tasks were picked, or one may seem not to be due. */
export function claimContexts(
  requests: readonly ClaimRequest[],
  { policy, policyVersion }: QueueFacts,
  now: Date,
  secretOf: (request: number) => string,
): ClaimContext[] {
  return requests.map((request, index) => ({
    index,
    request,
    secret: secretOf(index),
    leaseMs: leaseMsFor(request, policy),
    envelope: envelopeOf(request.context, policyVersion),
    now: now.toISOString(),
    nowMs: now.getTime(),
  }));
}

/** Whoever leaves a serial queue's task alone for longer than the takeover takes loses it. */
export function leaseMsFor({ leaseMs }: ClaimRequest, policy: QueuePolicy): number {
  const wanted = leaseMs ?? policy.leaseMs;
  return policy.concurrency === 'serial' ? Math.min(wanted, policy.takeoverSeconds * 1_000) : wanted;
}

/** The claim of a picked task; or, where its history does not allow one, the state that it is in. `id`: of the first event. */
export function decideClaim(picked: PickedTask, context: ClaimContext, id = newId()): DecidedClaim | TaskState {
  const before = picked.history.reduce(taskDecider.evolve, taskDecider.initialState);
  const { index, request, leaseMs, now, nowMs, secret, envelope } = context;
  const { worker, server, claimId } = request;
  const { token } = picked;
  const by = { by: worker, worker, server, token, claimId };
  const decision = taskDecider.decide(
    { type: 'ClaimTask', now, ...by, leaseMs, waitedMs: waitedMs(picked, before, nowMs) },
    before,
  );
  if (decision.kind !== 'accepted') return before;
  const item: AppendItem = {
    stream: taskStream(picked.taskId),
    expected: picked.revision,
    events: decision.events.map((event, at) => ({ id: at === 0 ? id : newId(), event, envelope })),
    conditions: { queue: { name: request.queue, revision: picked.queueRevision } },
    leaseSecret: secret,
  };
  return { request: index, item, picked, state: decision.events.reduce(taskDecider.evolve, before) as RunningTask };
}

/** Since a worker could have taken the task: since it became pending, or was due where that came later. */
function waitedMs({ waitingSince }: PickedTask, state: TaskState, nowMs: number): number {
  const dueAt = state.status === 'pending' ? state.task.dueAt : null;
  const eligibleAt = dueAt !== null && dueAt > waitingSince ? dueAt : waitingSince;
  return Math.max(0, nowMs - Date.parse(eligibleAt));
}
