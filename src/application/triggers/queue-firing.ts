import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { QueueTrigger } from '../../domain/trigger/trigger.events.js';
import type { KnownTrigger } from '../../domain/trigger/trigger.state.js';
import { workerOfJob } from '../../domain/task/jobs.events.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { ClaimService } from '../claims/claim-service.js';
import type { ClaimedTask, ClaimRequest } from '../claims/claim-source.port.js';
import { ClaimTasks } from '../claims/claim-tasks.handler.js';
import { SettleTasks } from '../claims/settle-tasks.handler.js';
import { Clock } from '../kernel/clock.port.js';
import { Refused, unreadable } from '../kernel/application-error.js';
import type { CommandContext } from '../kernel/command-context.js';
import { derivedId } from '../kernel/derived-id.js';
import { EventStore } from '../kernel/event-store.port.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { receiptOf } from '../kernel/receipt.js';
import { admission } from '../tasks/admission.js';
import type { EnqueueOutcome, EnqueueRejection } from '../tasks/enqueue-item.js';
import { triggeredItem } from './triggered-item.js';
import { EnqueueTasks } from '../tasks/enqueue-tasks.handler.js';

/** What became of one poll of a queue. */
export type Fired =
  | FiredJob
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly rejection: EnqueueRejection };

interface FiredJob {
  readonly kind: 'fired';
  readonly job: JobMade;
  /** Those that the job was made with. */
  readonly items: readonly string[];
}

export type JobMade = Extract<EnqueueOutcome, { readonly kind: 'done' }>;

const NOTHING: Fired = { kind: 'nothing' };
const NEVER = new AbortController().signal;

/**
 * Claims the items of a job, and then makes the job with their ids. The job's id is the id of the claim, so whoever
 * repeats this after a crash gets the same items and finds the same job.
 */
@Injectable()
export class QueueFiring {
  constructor(
    private readonly commands: CommandBus,
    private readonly claims: ClaimService,
    private readonly queues: QueueDirectory,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** Before a refusal is answered, what was claimed is given back. */
  async fire(trigger: string, definition: QueueTrigger, job: string, context: CommandContext): Promise<Fired> {
    const claim = claimFor(trigger, definition, job, context);
    const refusal = await this.refusalOf(definition, context);
    if (refusal) return this.refused(refusal, claim);
    const tasks = await this.claim(claim);
    if (tasks === null) return { kind: 'refused', rejection: { code: 'CLAIM_ID_REUSED' } };
    if (tasks.length === 0) return (await this.madeBefore(job)) ?? NOTHING;
    return this.make(definition, claim, tasks);
  }

  /** Those that the job was made with; undefined if the task is no job. */
  async itemsOf(job: string): Promise<readonly string[] | undefined> {
    return (await this.madeBefore(job))?.items;
  }

  /** Null if somebody else has used the id for a claim. */
  private async claim(claim: ClaimRequest): Promise<readonly ClaimedTask[] | null> {
    try {
      return (await this.commands.execute(new ClaimTasks(claim))).tasks;
    } catch (error) {
      if (error instanceof Refused && error.rejection.code === 'CLAIM_ID_REUSED') return null;
      throw error;
    }
  }

  private async make({ task }: QueueTrigger, claim: ClaimRequest, tasks: readonly ClaimedTask[]): Promise<Fired> {
    const items = tasks.map(({ taskId }) => taskId);
    const job = { ...triggeredItem(task, this.clock.iso()), taskId: claim.claimId, items };
    const [outcome] = await this.commands.execute(new EnqueueTasks([job], claim.context));
    if (outcome!.kind === 'done') return this.done(outcome!, claim, tasks);
    const { rejection } = outcome!;
    const made = rejection.code === 'TASK_EXISTS' ? await this.madeBefore(claim.claimId) : null;
    return made ? this.withItsOwn(made, claim, tasks) : this.refused(rejection, claim);
  }

  /** A job that exists has the items that it was made with, whatever stands of its claim or was claimed in vain. */
  private async done(job: JobMade, claim: ClaimRequest, tasks: readonly ClaimedTask[]): Promise<Fired> {
    const { status, receipt } = job;
    if (status === 'enqueued' && !receipt.replayed)
      return { kind: 'fired', job, items: tasks.map(({ taskId }) => taskId) };
    const made = await this.madeBefore(receipt.id);
    return made ? this.withItsOwn({ ...made, job }, claim, tasks) : this.refused({ code: 'TASK_EXISTS' }, claim);
  }

  private async withItsOwn(made: FiredJob, claim: ClaimRequest, tasks: readonly ClaimedTask[]): Promise<Fired> {
    await this.giveBack(
      tasks.filter(({ taskId }) => !made.items.includes(taskId)),
      claim.context,
    );
    return made;
  }

  /** The job, if it exists: a process died before it could record the firing. */
  private async madeBefore(job: string): Promise<FiredJob | null> {
    const [history] = await this.store.readFirst([taskStream(job)]);
    const first = history![0]?.event as TaskEvent | undefined;
    const items = first?.type === 'TaskEnqueued' ? first.data.items : undefined;
    if (items === undefined) return null;
    const { position, revision } = history!.at(-1)!;
    const receipt = receiptOf(job, { kind: 'alreadyDone', position, revision });
    return { kind: 'fired', job: { kind: 'done', status: 'existing', receipt }, items };
  }

  /**
   * Looked up before anything is claimed, so that a failing trigger does not keep taking items and giving them back. A
   * refusal by a cached queue counts only after a second check.
   */
  private async refusalOf(definition: QueueTrigger, context: CommandContext): Promise<EnqueueRejection | null> {
    const refusal = await this.refusalNow(definition, context);
    if (refusal === null) return null;
    this.queues.forget(definition.queue);
    this.queues.forget(definition.task.queue);
    return this.refusalNow(definition, context);
  }

  private async refusalNow({ queue, task }: QueueTrigger, context: CommandContext): Promise<EnqueueRejection | null> {
    const { found, unreadable: lost } = await this.queues.getEach(new Set([queue, task.queue]));
    for (const one of lost.values()) return unreadable(one);
    const { status } = found.get(queue)!.state;
    if (status === 'unknown' || status === 'deleted') return { code: 'QUEUE_NOT_FOUND', queue };
    if (status === 'finished') return { code: 'QUEUE_FINISHED', queue };
    const now = this.clock.iso();
    const item = { ...triggeredItem(task, now), taskId: null };
    const admitted = admission(item, found.get(task.queue)!.state, now, context);
    return 'code' in admitted ? admitted : null;
  }

  private async refused(rejection: EnqueueRejection, claim: ClaimRequest): Promise<Fired> {
    const { tasks } = (await this.claims.again(claim)) ?? { tasks: [] };
    await this.giveBack(tasks, claim.context);
    return { kind: 'refused', rejection };
  }

  private async giveBack(tasks: readonly ClaimedTask[], context: CommandContext): Promise<void> {
    const verdict = { type: 'return', unstarted: true } as const;
    const returns = tasks.map(({ taskId, token }) => ({ taskId, token, verdict }));
    if (returns.length > 0) await this.commands.execute(new SettleTasks(returns, context));
  }
}

/** After a failure the next try has another id, because the items of this one were given back. */
export const jobIdOf = (trigger: string, { next, failures }: KnownTrigger): string =>
  derivedId(`trigger ${trigger}`, failures === 0 ? next! : `${next} after ${failures} failures`);

const claimFor = (
  trigger: string,
  { queue, batchSize, leaseMs }: QueueTrigger,
  job: string,
  context: CommandContext,
): ClaimRequest => ({
  queue,
  worker: workerOfJob(job),
  server: `trigger:${trigger}`,
  max: batchSize,
  waitMs: 0,
  leaseMs: leaseMs ?? null,
  claimId: job,
  job,
  signal: NEVER,
  context,
});
