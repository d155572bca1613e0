import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { RunningTask, TaskState } from '../../domain/task/task.state.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Clock } from '../kernel/clock.port.js';
import { envelopeOf } from '../kernel/envelope.js';
import type { AppendItem, Envelope } from '../kernel/event-store.port.js';
import { newId } from '../kernel/new-id.js';
import type { QueueEntry } from '../kernel/queue-directory.js';
import { besides, quotaFor } from './claim-limits.js';
import type {
  ClaimQuota,
  ClaimRequest,
  ClaimRules,
  DecidedClaim,
  LeaseOfPlace,
  PickedTask,
  RunningClaims,
} from './claim-source.port.js';

/** The rules of one queue for the requests of one round. */
export class QueueClaimRules implements ClaimRules {
  readonly queueRevision: number;
  readonly besides = besides;

  constructor(
    { revision }: Pick<QueueEntry, 'revision'>,
    readonly facts: QueueFacts,
    readonly requests: readonly ClaimRequest[],
    private readonly clock: Clock,
  ) {
    this.queueRevision = revision;
  }

  quotaFor(running: RunningClaims): ClaimQuota {
    return quotaFor(this.facts, running, this.requests);
  }

  leaseMsFor(request: ClaimRequest): number {
    return leaseMsFor(request, this.facts.policy);
  }

  decide(picked: readonly PickedTask[], leaseOf: (at: number) => LeaseOfPlace): (DecidedClaim | TaskState)[] {
    // The time after the tasks were picked, or one may seem not to be due.
    const now = this.clock.now();
    const contexts = this.requests.map((request) => contextOf(request, this.facts, now));
    return picked.map((task, at) => {
      const lease = leaseOf(at);
      return decideClaim(task, contexts[lease.request]!, lease);
    });
  }
}

/** What is the same for all tasks of one request. */
interface ClaimContext {
  readonly request: ClaimRequest;
  readonly leaseMs: number;
  readonly envelope: Envelope;
  readonly now: string;
  readonly nowMs: number;
}

const contextOf = (request: ClaimRequest, { policy, policyVersion }: QueueFacts, now: Date): ClaimContext => ({
  request,
  leaseMs: leaseMsFor(request, policy),
  envelope: envelopeOf(request.context, policyVersion),
  now: now.toISOString(),
  nowMs: now.getTime(),
});

/** Whoever leaves a serial queue's task alone for longer than the takeover takes loses it. */
function leaseMsFor({ leaseMs }: ClaimRequest, policy: QueuePolicy): number {
  const wanted = leaseMs ?? policy.leaseMs;
  return policy.concurrency === 'serial' ? Math.min(wanted, policy.takeoverSeconds * 1_000) : wanted;
}

function decideClaim(picked: PickedTask, context: ClaimContext, lease: LeaseOfPlace): DecidedClaim | TaskState {
  const before = picked.history.reduce(taskDecider.evolve, taskDecider.initialState);
  const { request, leaseMs, now, nowMs, envelope } = context;
  const { worker, server, claimId } = request;
  const by = { by: worker, worker, server, token: picked.token, claimId };
  const decision = taskDecider.decide(
    { type: 'ClaimTask', now, ...by, leaseMs, waitedMs: waitedMs(picked, before, nowMs) },
    before,
  );
  if (decision.kind !== 'accepted') return before;
  const item: AppendItem = {
    stream: taskStream(picked.taskId),
    expected: picked.revision,
    events: decision.events.map((event, at) => ({ id: (at === 0 ? lease.eventId : null) ?? newId(), event, envelope })),
    conditions: { queue: { name: request.queue, revision: picked.queueRevision } },
    leaseSecret: lease.secret,
  };
  const state = decision.events.reduce(taskDecider.evolve, before) as RunningTask;
  return { request: lease.request, item, picked, state };
}

/** Since a worker could have taken the task: since it became pending, or was due where that came later. */
function waitedMs({ waitingSince }: PickedTask, state: TaskState, nowMs: number): number {
  const dueAt = state.status === 'pending' ? state.task.dueAt : null;
  const eligibleAt = dueAt !== null && dueAt > waitingSince ? dueAt : waitingSince;
  return Math.max(0, nowMs - Date.parse(eligibleAt));
}
