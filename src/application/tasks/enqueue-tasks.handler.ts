import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { QueueRejection } from '../../domain/queue/queue.rejections.js';
import type { TaskCommand } from '../../domain/task/task.commands.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { TaskState } from '../../domain/task/task.state.js';
import type { WaitingLimits } from '../../domain/task/waiting-limits.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { unreadable } from '../kernel/application-error.js';
import { BatchDirectory } from '../kernel/batch-directory.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import type { Outcome, StreamCommand } from '../kernel/stream-command.js';
import { EventStore, EventStoreUnavailable, type Refusal } from '../kernel/event-store.port.js';
import { IdempotencyKeys } from '../kernel/idempotency-keys.port.js';
import { receiptOf } from '../kernel/receipt.js';
import { rejectionOf } from '../kernel/rejection-of.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { admission } from './admission.js';
import { Deduplications } from './deduplications.js';
import { EnqueueCall, type Waiting } from './enqueue-call.js';
import type { EnqueueItem, EnqueueOutcome } from './enqueue-item.js';
import { SharedChecks } from './shared-checks.js';
import { submissionOrder } from './submission-order.js';

export type { EnqueueItem, EnqueueOutcome, EnqueueRejection } from './enqueue-item.js';

/** Enqueues tasks. Returns one answer per item, in order; no refusal affects another item. */
export class EnqueueTasks extends Command<readonly EnqueueOutcome[]> {
  constructor(
    readonly items: readonly EnqueueItem[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

type TaskOutcome = Outcome<TaskState, TaskEvent, TaskRejection>;

interface AdmittedSubmission {
  readonly index: number;
  /** That of the queue. */
  readonly revision: number;
  readonly policy: QueuePolicy;
  readonly work: StreamCommand<TaskState, TaskCommand>;
}

@CommandHandler(EnqueueTasks)
export class EnqueueTasksHandler implements ICommandHandler<EnqueueTasks> {
  private readonly checks: SharedChecks;

  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly queues: QueueDirectory,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly store: EventStore,
    private readonly deduplications: Deduplications,
    private readonly batches: BatchDirectory,
  ) {
    this.checks = new SharedChecks(runner);
  }

  /**
   * Makes one append and no read, unless a queue changed, a key's waiting place is taken, or an item is refused.
   */
  async execute({ items, context }: EnqueueTasks): Promise<readonly EnqueueOutcome[]> {
    const batch = new EnqueueCall(items, context, this.clock.iso());
    for (let open = batch.takeOpen(); open.length > 0 && (await batch.mayTry(open)); open = batch.takeOpen()) {
      const admitted = await this.admit(batch, open);
      const { ordered, cyclic } = submissionOrder(admitted, ({ index }) => batch.arrangementOf(index));
      for (const { one, cycle } of cyclic) batch.refuse(one.index, { code: 'PREREQUISITE_CYCLE', cycle });
      await this.record(batch, ordered);
    }
    await this.recognise(batch);
    await this.keepAnswers(batch);
    return batch.outcomes;
  }

  private async record(batch: EnqueueCall, admitted: readonly AdmittedSubmission[]): Promise<void> {
    const work = admitted.map((one) => one.work);
    const outcomes = await this.runner.runMany(taskDecider, work, batch.context);
    const waiting = outcomes.map((outcome, at) => this.conclude(batch, admitted[at]!, outcome));
    await this.answerWithWaitingTasks(
      batch,
      waiting.filter((one) => one !== null),
    );
    outcomes.forEach((outcome, at) => this.followPrerequisite(batch, admitted[at]!.index, outcome));
    const doubted = batch.takeDoubted();
    if (doubted.length > 0) await this.queues.doubt(doubted);
    for (const [index, refusal] of batch.takeInDoubt())
      if (!batch.isOpen(batch.idOf(index)) && (await this.batches.doubt(refusal))) batch.reopen(index);
  }

  /** Tries an item again if it was refused only because one that it waits for is to be tried again. */
  private followPrerequisite(batch: EnqueueCall, index: number, outcome: TaskOutcome): void {
    if (outcome.kind !== 'refused' || outcome.constraint !== 'prerequisite-not-found') return;
    if (batch.isOpen(outcome.prerequisite)) batch.reopen(index);
  }

  /**
   * Recognises refused items whose tasks are stored: their queue changed after the append, or the answer to it was
   * lost.
   */
  private async recognise(batch: EnqueueCall): Promise<void> {
    const doubtful = batch.maybeStored;
    if (doubtful.length === 0) return;
    const streams = doubtful.map((index) => taskStream(batch.idOf(index)));
    const store = batch.context.unit ?? this.store;
    try {
      for (let at = 0; at < streams.length;) {
        for (const history of await store.readFirst(streams.slice(at))) batch.recognise(doubtful[at++]!, history);
      }
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable)) throw error;
      // Answers these items alone with `STORE_UNAVAILABLE`. The others keep their answers, because an item without an id
      // would become another task if it were sent again.
      for (const index of doubtful) batch.refuse(index, { code: 'STORE_UNAVAILABLE' });
    }
  }

  /**
   * Stores the answers that recorded nothing, so that a repeat returns the same task instead of enqueuing another one
   * after the first has ended.
   */
  private async keepAnswers(batch: EnqueueCall): Promise<void> {
    const answers = batch.unrecorded;
    if (answers.length === 0) return;
    const earlier = await this.idempotencyKeys.remember(answers.map(({ answer }) => answer));
    earlier.forEach((recorded, at) => recorded && batch.replay(answers[at]!.index, recorded));
  }

  private async admit(batch: EnqueueCall, open: readonly number[]): Promise<AdmittedSubmission[]> {
    const names = new Set(open.map((index) => batch.items[index]!.queue));
    const { found: queues, unreadable: lost } = await this.queues.getEach(names, batch.context.unit);
    const admitted: AdmittedSubmission[] = [];
    const conditions = new Map([...queues].map(([name, { revision }]) => [name, { queue: { name, revision } }]));
    for (const index of open) {
      const item = batch.items[index]!;
      if (lost.has(item.queue)) {
        batch.refuse(index, unreadable(lost.get(item.queue)!));
        continue;
      }
      const { state, revision } = queues.get(item.queue)!;
      const answer = admission(item, state, batch.now, batch.context);
      if ('code' in answer) await this.refuseOnSecondCheck(batch, index, answer);
      else {
        const work = batch.workFor(index, answer, conditions.get(item.queue)!);
        admitted.push({ index, revision, policy: answer.queue.policy, work });
      }
    }
    return admitted;
  }

  /**
   * A refusal appends nothing, so no conflict would reveal that the cached queue was stale. The refusal is given only
   * after a second check.
   */
  private async refuseOnSecondCheck(
    batch: EnqueueCall,
    index: number,
    rejection: QueueRejection | TaskRejection,
  ): Promise<void> {
    if (batch.isFirstRound) return this.lookAgain(batch, index);
    const key = batch.keyOf(index, 'recorded');
    const recorded = key ? await this.idempotencyKeys.answerUnder(key) : null;
    if (recorded) batch.replay(index, recorded);
    else batch.refuse(index, rejection);
  }

  private lookAgain(batch: EnqueueCall, index: number): void {
    this.queues.forget(batch.items[index]!.queue);
    batch.reopen(index);
  }

  private conclude(batch: EnqueueCall, admitted: AdmittedSubmission, outcome: TaskOutcome): Waiting | null {
    const { index } = admitted;
    switch (outcome.kind) {
      case 'accepted':
        batch.done(index, 'enqueued', receiptOf(batch.idOf(index), outcome));
        return null;
      case 'alreadyDone':
        batch.done(index, 'existing', receiptOf(batch.idOf(index), outcome));
        return null;
      case 'rejected':
        batch.refuse(index, outcome.rejection);
        return null;
      case 'contended':
        batch.refuse(index, { code: 'CONTENTION' });
        return null;
      case 'failed':
        batch.refuse(index, { code: 'COMMAND_FAILED' });
        return null;
      case 'unreadable':
        batch.refuse(index, unreadable(outcome.error));
        return null;
      case 'refused':
        return this.constrained(batch, admitted, outcome);
    }
  }

  /** The task that waits for the item's key, if the policy lets it stand for the item. */
  private constrained(
    batch: EnqueueCall,
    { index, policy, revision }: AdmittedSubmission,
    refusal: Refusal,
  ): Waiting | null {
    const item = batch.items[index]!;
    switch (refusal.constraint) {
      case 'queue-changed':
        batch.foundChanged(item.queue, revision);
        this.lookAgain(batch, index);
        return null;
      case 'idempotency-key':
        batch.replay(index, refusal.recorded);
        return null;
      case 'key-waiting':
        if (mayStandFor(item, policy)) return { index, taskId: refusal.taskId, replaces: takenOver(item, policy) };
        break;
      default:
    }
    batch.refuseInDoubt(index, rejectionOf(refusal, { ...item, stream: taskStream(batch.idOf(index)) }), refusal);
    return null;
  }

  /**
   * Answers items with the tasks that wait for their keys. If a task whose payload was to be replaced has left its place
   * meanwhile, the item is tried again. Otherwise such a task answers all the same: it waited when the append was refused,
   * so it runs after the item was submitted.
   */
  private async answerWithWaitingTasks(batch: EnqueueCall, waiting: readonly Waiting[]): Promise<void> {
    const [replacing, standing] = [
      waiting.filter(({ replaces }) => replaces !== null),
      waiting.filter(({ replaces }) => replaces === null),
    ];
    const commandOf = (one: Waiting) => batch.waitingTaskCommand(one);
    const replaced = await this.runner.runMany(taskDecider, replacing.map(commandOf), batch.context);
    const found = await this.checks.at(standing.map(commandOf), batch.context);
    const asked = [...replacing, ...standing];
    [...replaced, ...found].forEach((outcome, at) => {
      const { index, taskId, replaces } = asked[at]!;
      const { kind } = outcome;
      if (kind === 'accepted' || kind === 'alreadyDone' || (kind === 'rejected' && !replaces)) {
        const status = replaces && outcome.kind === 'accepted' ? 'replaced' : 'existing';
        batch.done(index, status, receiptOf(taskId, outcome));
        this.deduplications.add(batch.items[index]!.queue);
      } else if (outcome.kind === 'refused' && outcome.constraint === 'idempotency-key') {
        batch.replay(index, outcome.recorded);
      } else if (outcome.kind === 'refused' && outcome.constraint === 'too-large') {
        batch.refuse(index, { code: 'EVENT_TOO_LARGE', bytes: outcome.bytes, limit: outcome.limit });
      } else if (outcome.kind === 'failed') {
        batch.refuse(index, { code: 'COMMAND_FAILED' });
      } else if (outcome.kind === 'unreadable') {
        batch.refuse(index, unreadable(outcome.error));
      } else this.lookAgain(batch, index);
    });
  }
}

/** A submission that replaces the payload of a waiting task lives anew. */
/**
 * Whether the task that waits for the item's key may answer the item. It cannot stand for one of a batch, because that would be missing
 * there, nor for a job with its items, nor for one that plans a batch.
 */
const mayStandFor = ({ batch, items, plans }: EnqueueItem, { duplicatePending }: QueuePolicy): boolean =>
  duplicatePending !== 'refuse' && batch === undefined && items === undefined && plans === undefined;

const takenOver = (item: EnqueueItem, policy: QueuePolicy): WaitingLimits | null =>
  policy.duplicatePending === 'replace-payload' ? limitsOf(item, policy) : null;

const limitsOf = ({ expiresAt, ttlMs, deadlineAt }: EnqueueItem, policy: QueuePolicy): WaitingLimits => {
  const life = ttlMs ?? policy.ttlMs;
  return {
    ...(expiresAt === undefined ? life !== null && { ttlMs: life } : { expiresAt }),
    ...(deadlineAt !== undefined && { deadlineAt }),
  };
};
