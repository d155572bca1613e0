import { OutsidePayloads } from '../kernel/outside-payloads.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { randomUUID } from 'node:crypto';
import { isCounted, needsOf } from '../../domain/queue/queue.policy.js';
import type { QueueRejection } from '../../domain/queue/queue.rejections.js';
import type { QueueFacts, QueueState } from '../../domain/queue/queue.state.js';
import { runLimits } from '../../domain/task/run-limits.js';
import type { TaskCommand } from '../../domain/task/task.commands.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { Submission } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Refused, type Rejection } from '../kernel/application-error.js';
import { BatchDirectory } from '../kernel/batch-directory.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { type AppendConditions, EventStore } from '../kernel/event-store.port.js';
import { Idempotency, keyOf } from '../kernel/idempotency.js';
import { LeaseRepository } from '../kernel/lease-repository.port.js';
import { newId } from '../kernel/new-id.js';
import type { KeptAnswer, KeptLease, Replay } from '../kernel/receipt.js';
import { rejectionOf } from '../kernel/rejection-of.js';
import { Patience } from '../kernel/patience.js';
import { QueueDirectory, type QueueEntry } from '../kernel/queue-directory.js';
import { admission } from '../tasks/admission.js';
import { isMadeOf } from '../tasks/made-of-item.js';
import type { EnqueueItem } from '../tasks/enqueue-item.js';
import { leaseMsFor } from './claim-limits.js';
import { BuildsAtWork } from './builds-at-work.js';
import { ClaimService } from './claim-service.js';
import { parseClaimToken } from './claim-token.js';
import { startedTask } from './claimed-task.js';
import type { ClaimedTask, HolderLimit } from './claim-source.port.js';

export interface StartRequest {
  readonly item: Omit<EnqueueItem, 'dueAt' | 'expiresAt' | 'ttlMs' | 'hold' | 'prepared'>;
  readonly worker: string;
  readonly server: string;
  readonly build?: string;
  /** Null takes it from the queue's policy. */
  readonly leaseMs: number | null;
  readonly context: CommandContext;
  /** Absent if as many tasks may run for the caller as it starts. */
  readonly limit?: HolderLimit;
}

export interface StartedTask {
  readonly task: ClaimedTask;
  readonly position: string;
  /** True if this repeats the answer to an earlier request with the same `Idempotency-Key`. */
  readonly replayed: boolean;
}

/**
 * Creates a task and leases it to the worker that asks, in one append, so that the worker runs it at once. Repeated
 * with the same task id, it answers with the same lease while that stands; under the same `Idempotency-Key` also later.
 * Throws `Refused`.
 */
export class StartTask extends Command<StartedTask> {
  constructor(readonly request: StartRequest) {
    super();
  }
}

type StartCommand = Extract<TaskCommand, { readonly type: 'StartTask' }>;

@CommandHandler(StartTask)
export class StartTaskHandler implements ICommandHandler<StartTask> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly queues: QueueDirectory,
    private readonly leases: LeaseRepository,
    private readonly claims: ClaimService,
    private readonly idempotency: Idempotency,
    private readonly store: EventStore,
    private readonly batches: BatchDirectory,
    private readonly builds: BuildsAtWork,
    private readonly payloads: OutsidePayloads,
  ) {}

  /** A refusal based on a cached queue is given only after a second look. */
  async execute({ request }: StartTask): Promise<StartedTask> {
    const { queue, taskId } = request.item;
    const kept = await this.idempotency.kept<KeptLease | KeptAnswer>(request.context);
    if (hasLease(kept)) return this.replayed(kept);
    const id = kept?.receipt.id ?? taskId ?? newId();
    const patience = new Patience();
    for (let tries = 1; ; tries++) {
      const answer = await this.tryOnce(id, request, await this.queues.get(queue));
      if ('task' in answer) return kept ? { ...answer, replayed: true } : answer;
      const isFinal = tries > 1 && answer.code !== 'CONTENTION';
      if (isFinal || !(await patience.again())) throw new Refused(answer);
      if (tries % 2 === 0) await this.queues.doubt([queue]);
      else this.queues.forget(queue);
    }
  }

  private async tryOnce(id: string, request: StartRequest, { state, revision }: QueueEntry) {
    const admitted = admission(request.item, state, this.clock.iso(), request.context);
    const refusal = 'code' in admitted ? admitted : (startRefusal(state) ?? (await this.holderFull(request)));
    if (refusal) return (await this.startedBefore(id, request)) ?? refusal;
    const { queue, submission } = admitted as Exclude<typeof admitted, Rejection>;
    return this.start(id, request, atOnce(submission), queue, revision);
  }

  /** Starts at the same moment may exceed the limit by one another. */
  private async holderFull({ limit }: StartRequest): Promise<Rejection | null> {
    if (!limit) return null;
    const running = await this.leases.runsOf(limit.holder);
    return running < limit.most ? null : { code: 'HOLDER_FULL', ...limit, running };
  }

  private async start(
    id: string,
    request: StartRequest,
    submission: Submission,
    { name, policy, policyVersion }: QueueFacts,
    revision: number,
  ): Promise<StartedTask | Rejection> {
    const { worker, server, build, context } = request;
    const lease = { token: await this.leases.nextToken(), secret: randomUUID(), leaseMs: leaseMsFor(request, policy) };
    const { token, leaseMs } = lease;
    const given = { now: this.clock.iso(), by: context.actor, token, leaseMs, ...runLimits(policy) };
    const command = { ...given, type: 'StartTask' as const, submission, worker, server, build, claimId: id };
    const outcome = await this.runner.run(
      taskDecider,
      {
        stream: taskStream(id),
        command,
        conditions: { ...conditionsOf(submission, { name, revision }), ...underKey(context, lease) },
        load: 'new',
        policyVersion,
        policy,
        leaseSecret: lease.secret,
        ...(request.limit && { leaseHolder: request.limit.holder }),
        causationId: submission.context,
      },
      context,
    );
    if (outcome.kind === 'accepted') {
      await this.builds.record({ ...request, queue: name });
      return (await this.started(id, lease)).answer;
    }
    if (outcome.kind === 'rejected') return this.rejectionOfSame(id, request, outcome.rejection);
    if (outcome.kind !== 'refused') return this.stored(id, request, command);
    switch (outcome.constraint) {
      case 'idempotency-key': {
        const kept = this.idempotency.replay<KeptLease | KeptAnswer>(context, outcome.recorded);
        return hasLease(kept) ? this.replayed(kept) : this.stored(kept.receipt.id, request, command);
      }
      case 'claim-repeated':
        return (await this.startedBefore(id, request)) ?? this.repeated(id);
      default:
        // The second try is the last one, and meets the right row.
        await this.batches.doubt(outcome);
        return outcome.constraint === 'key-waiting'
          ? { code: 'KEY_BUSY', key: request.item.key!, conflictingTaskId: outcome.taskId }
          : rejectionOf(outcome, { ...request.item, stream: taskStream(id) });
    }
  }

  /** The first answer, whatever became of the task since: its worker learns from its lease whether it may run it. */
  private async replayed({ receipt, answer: lease }: Replay<KeptLease>): Promise<StartedTask> {
    return { ...(await this.started(receipt.id, lease)).answer, replayed: true };
  }

  private async started(id: string, { secret }: KeptLease) {
    const [history] = await this.store.readFirst([taskStream(id)]);
    const { task, claim } = startedTask(id, history!, secret);
    const payload = await this.payloads.read(id, task.payload);
    return { answer: { task: { ...task, payload }, position: String(claim.position), replayed: false }, claim };
  }

  /** The id of the task is that of a claim. Without such a task, the claim was another one. */
  private async repeated(id: string): Promise<Rejection> {
    const [history] = await this.store.readFirst([taskStream(id)]);
    return { code: history!.length === 0 ? 'CLAIM_ID_REUSED' : 'CONTENTION' };
  }

  /** The answer for a task that is stored: never `CONTENTION`, which says that nothing was done. */
  private async stored(id: string, request: StartRequest, command: StartCommand): Promise<StartedTask | Rejection> {
    const started = await this.startedBefore(id, request);
    if (started) return started;
    const work = { stream: taskStream(id), command: { ...command, claimId: id }, load: 'whole' as const };
    const outcome = await this.runner.run(taskDecider, work, request.context);
    if (outcome.kind === 'rejected') return this.rejectionOfSame(id, request, outcome.rejection);
    return { code: 'TASK_ALREADY_CLAIMED', by: request.worker, attempt: 1 };
  }

  /** Says what became of the task only to whom it was given: the id may be that of a task of any queue. */
  private async rejectionOfSame(id: string, { item }: StartRequest, rejection: Rejection): Promise<Rejection> {
    await this.assertSame(id, item);
    return rejection;
  }

  /** The lease that this request, or an earlier one with the id, got; null if it does not stand. */
  private async startedBefore(id: string, { item, worker, context }: StartRequest): Promise<StartedTask | null> {
    const earlier = await this.claims.again({ claimId: id, queue: item.queue, worker, context });
    const task = earlier?.tasks.find(({ taskId }) => taskId === id);
    if (!task) return null;
    await this.assertSame(id, item);
    const lease = { secret: parseClaimToken(task.token)!.secret };
    const { answer, claim } = await this.started(id, lease);
    const { stream, revision, position } = claim;
    const receipt = { id, revision, position: String(position), recorded: false, replayed: false };
    const { replayed } = await this.idempotency.keep(stream, receipt, context, 0, lease);
    return { ...answer, replayed };
  }

  /** Otherwise the caller would learn of another task, run another task than it asked for, or one that somebody of the same name runs. */
  private async assertSame(id: string, item: StartRequest['item']): Promise<void> {
    const [[made] = []] = await this.store.readFirst([taskStream(id)]);
    if (made && !isMadeOf(made.event, item)) throw new Refused({ code: 'TASK_EXISTS' });
  }
}

/** Builds before ADR 88 kept only that the task was recorded: its lease says the rest while it stands. */
const hasLease = (kept: Replay<KeptLease | KeptAnswer> | null): kept is Replay<KeptLease> =>
  kept !== null && typeof kept.answer !== 'string';

/** The due times and the time to live of a queue are for tasks that wait. */
function atOnce(submission: Submission): Submission {
  const { dueAt: _due, byDueTimes: _by, gathers: _gathers, expiresAt: _end, ttlMs: _ttl, ...content } = submission;
  return submission.byDueTimes || submission.gathers || submission.ttlMs !== undefined ? content : submission;
}

/** A worker that starts a task passes by those in line, so nothing may limit what runs. */
function startRefusal(state: QueueState): QueueRejection | null {
  if (!('queue' in state)) return null;
  const { name, policy } = state.queue;
  const isLimited =
    isCounted(policy) || policy.needs !== null || policy.steps.slice(0, 1).some((step) => needsOf(step).length > 0);
  const because = state.status === 'active' ? (isLimited ? 'limited' : null) : state.status;
  return because && { code: 'START_NOT_ALLOWED', queue: name, because };
}

const conditionsOf = (
  { queue: name, key, labels }: Submission,
  queue: NonNullable<AppendConditions['queue']>,
): AppendConditions => ({
  queue,
  ...(key !== undefined && { keyFree: { queue: name, key } }),
  ...(labels !== undefined && { notHeld: labels }),
});

function underKey(context: CommandContext, { secret }: KeptLease): Pick<AppendConditions, 'idempotencyKey'> {
  const idempotencyKey = keyOf(context, { secret });
  return idempotencyKey ? { idempotencyKey } : {};
}
