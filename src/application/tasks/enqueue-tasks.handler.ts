import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { IsoTime } from '../../domain/kernel/json.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { QueueRejection } from '../../domain/queue/queue.rejections.js';
import type { TaskCommand } from '../../domain/task/task.commands.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { TaskState } from '../../domain/task/task.state.js';
import type { WaitingLimits } from '../../domain/task/waiting-limits.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { outsidePayloadIn } from '../../domain/task/outside-payload.js';
import { Refused, unreadable } from '../kernel/application-error.js';
import { BatchDirectory } from '../kernel/batch-directory.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import type { Outcome, StreamCommand } from '../kernel/stream-command.js';
import { EventStore, EventStoreUnavailable, type Refusal } from '../kernel/event-store.port.js';
import { IdempotencyKeys } from '../kernel/idempotency-keys.port.js';
import { receiptOf } from '../kernel/receipt.js';
import { OutsidePayloads, someAtOnce } from '../kernel/outside-payloads.js';
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
  /** The queue's revision on which the admission was based. */
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
    private readonly payloads: OutsidePayloads,
  ) {
    this.checks = new SharedChecks(runner);
  }

  /**
   * Makes one append and no read, unless a queue changed, a key's waiting place is taken, or an item is refused.
   */
  async execute({ items, context }: EnqueueTasks): Promise<readonly EnqueueOutcome[]> {
    const whole = items.some(isCopyWithoutPayload) ? await someAtOnce(items, (item) => this.withPayload(item)) : items;
    const call = new EnqueueCall(whole, context, this.clock.iso());
    for (let open = call.takeOpen(); open.length > 0 && (await call.mayTry(open)); open = call.takeOpen()) {
      const admitted = await this.admit(call, open);
      const { ordered, cyclic } = submissionOrder(admitted, ({ index }) => call.arrangementOf(index));
      for (const { one, cycle } of cyclic) call.refuse(one.index, { code: 'PREREQUISITE_CYCLE', cycle });
      await this.record(call, ordered);
    }
    await this.recognise(call);
    await this.keepAnswers(call);
    return call.outcomes;
  }

  /** A copy gets a payload of its own, which outlives that of its original. One that is gone is refused on admission. */
  private async withPayload(item: EnqueueItem): Promise<EnqueueItem> {
    if (!isCopyWithoutPayload(item)) return item;
    try {
      return { ...item, payload: await this.payloads.read(item.rerunOf!.task, item.payload!) };
    } catch (error) {
      if (error instanceof Refused && error.rejection.code !== 'PAYLOAD_STORE_UNAVAILABLE') return item;
      throw error;
    }
  }

  private async record(call: EnqueueCall, admitted: readonly AdmittedSubmission[]): Promise<void> {
    const work = admitted.map((one) => one.work);
    const outcomes = await this.runner.runMany(taskDecider, work, call.context);
    const waiting = outcomes.map((outcome, at) => this.conclude(call, admitted[at]!, outcome));
    await this.answerWithWaitingTasks(
      call,
      waiting.filter((one) => one !== null),
    );
    outcomes.forEach((outcome, at) => this.followPrerequisite(call, admitted[at]!.index, outcome));
    const doubted = call.takeDoubted();
    if (doubted.length > 0) await this.queues.doubt(doubted);
    for (const [index, refusal] of call.takeInDoubt())
      if (!call.isOpen(call.idOf(index)) && (await this.batches.doubt(refusal))) call.reopen(index);
  }

  /** Tries an item again if it was refused only because one that it waits for is to be tried again. */
  private followPrerequisite(call: EnqueueCall, index: number, outcome: TaskOutcome): void {
    if (outcome.kind !== 'refused' || outcome.constraint !== 'prerequisite-not-found') return;
    if (call.isOpen(outcome.prerequisite)) call.reopen(index);
  }

  /**
   * Recognises refused items whose tasks are stored: their queue changed after the append, or the answer to it was
   * lost.
   */
  private async recognise(call: EnqueueCall): Promise<void> {
    const doubtful = call.maybeStored;
    if (doubtful.length === 0) return;
    const streams = doubtful.map((index) => taskStream(call.idOf(index)));
    const store = call.context.unit ?? this.store;
    try {
      for (let at = 0; at < streams.length;) {
        for (const history of await store.readFirst(streams.slice(at))) call.recognise(doubtful[at++]!, history);
      }
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable)) throw error;
      // Answers these items alone with `STORE_UNAVAILABLE`. The others keep their answers, because an item without an id
      // would become another task if it were sent again.
      for (const index of doubtful) call.refuse(index, { code: 'STORE_UNAVAILABLE' });
    }
  }

  /**
   * Stores the answers that recorded nothing, so that a repeat returns the same task instead of enqueuing another one
   * after the first has ended.
   */
  private async keepAnswers(call: EnqueueCall): Promise<void> {
    const answers = call.unrecorded;
    if (answers.length === 0) return;
    const earlier = await this.idempotencyKeys.remember(answers.map(({ answer }) => answer));
    earlier.forEach((recorded, at) => recorded && call.replay(answers[at]!.index, recorded));
  }

  private async admit(call: EnqueueCall, open: readonly number[]): Promise<AdmittedSubmission[]> {
    const names = new Set(open.map((index) => call.items[index]!.queue));
    const { found: queues, unreadable: lost } = await this.queues.getEach(names, call.context.unit);
    const admitted: AdmittedSubmission[] = [];
    const conditions = new Map([...queues].map(([name, { revision }]) => [name, { queue: { name, revision } }]));
    for (const index of open) {
      const item = call.items[index]!;
      if (lost.has(item.queue)) {
        call.refuse(index, unreadable(lost.get(item.queue)!));
        continue;
      }
      const { state, revision } = queues.get(item.queue)!;
      const answer = admission(item, state, call.now, call.context);
      if ('code' in answer) await this.refuseOnSecondCheck(call, index, answer);
      else {
        const work = call.workFor(index, answer, conditions.get(item.queue)!);
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
    call: EnqueueCall,
    index: number,
    rejection: QueueRejection | TaskRejection,
  ): Promise<void> {
    if (call.isFirstRound) return this.lookAgain(call, index);
    const key = call.keyOfRepeat(index);
    const recorded = key ? await this.idempotencyKeys.answerUnder(key) : null;
    if (recorded) call.replay(index, recorded);
    else call.refuse(index, rejection);
  }

  private lookAgain(call: EnqueueCall, index: number): void {
    this.queues.forget(call.items[index]!.queue);
    call.reopen(index);
  }

  private conclude(call: EnqueueCall, admitted: AdmittedSubmission, outcome: TaskOutcome): Waiting | null {
    const { index } = admitted;
    switch (outcome.kind) {
      case 'accepted':
        call.done(index, 'enqueued', receiptOf(call.idOf(index), outcome));
        return null;
      case 'alreadyDone':
        call.done(index, 'existing', receiptOf(call.idOf(index), outcome));
        return null;
      case 'rejected':
        call.refuse(index, outcome.rejection);
        return null;
      case 'contended':
        call.refuse(index, { code: 'CONTENTION' });
        return null;
      case 'failed':
        call.refuse(index, { code: 'COMMAND_FAILED' });
        return null;
      case 'unreadable':
        call.refuse(index, unreadable(outcome.error));
        return null;
      case 'refused':
        return this.constrained(call, admitted, outcome);
    }
  }

  /** The task that waits for the item's key, if the policy lets it stand for the item. */
  private constrained(
    call: EnqueueCall,
    { index, policy, revision }: AdmittedSubmission,
    refusal: Refusal,
  ): Waiting | null {
    const item = call.items[index]!;
    switch (refusal.constraint) {
      case 'queue-changed':
        call.foundChanged(item.queue, revision);
        this.lookAgain(call, index);
        return null;
      case 'idempotency-key':
        call.replay(index, refusal.recorded);
        return null;
      case 'key-waiting':
        if (call.isGathered(index) || mayStandFor(item, policy))
          return { index, taskId: refusal.taskId, way: wayOf(policy), limits: limitsOf(item, policy), policy };
        if (policy.duplicatePending !== 'gather') break;
        call.lineUp(index, refusal.taskId);
        return null;
      default:
    }
    call.refuseInDoubt(index, rejectionOf(refusal, { ...item, stream: taskStream(call.idOf(index)) }), refusal);
    return null;
  }

  /**
   * Answers items with the tasks that wait for their keys. If a task whose payload was to be replaced has left its place
   * meanwhile, the item is tried again. Otherwise such a task answers all the same: it waited when the append was refused,
   * so it runs after the item was submitted.
   */
  private async answerWithWaitingTasks(call: EnqueueCall, waiting: readonly Waiting[]): Promise<void> {
    const [gathering, replacing, standing] = (['gather', 'replace', 'stand'] as const).map((one) =>
      waiting.filter(({ way }) => way === one),
    ) as [Waiting[], Waiting[], Waiting[]];
    await this.gather(call, gathering);
    const commandOf = (one: Waiting) => call.waitingTaskCommand(one);
    const replaced = await this.runner.runMany(taskDecider, replacing.map(commandOf), call.context);
    const found = await this.checks.at(standing.map(commandOf), call.context);
    const asked = [...replacing, ...standing];
    [...replaced, ...found].forEach((outcome, at) => {
      const { index, taskId, way } = asked[at]!;
      const { kind } = outcome;
      if (kind === 'accepted' || kind === 'alreadyDone' || (kind === 'rejected' && way === 'stand')) {
        const status = way === 'replace' && outcome.kind === 'accepted' ? 'replaced' : 'existing';
        call.done(index, status, receiptOf(taskId, outcome));
        this.deduplications.existing.add(call.items[index]!.queue);
      } else this.notTaken(call, index, outcome);
    });
  }

  /** Has waiting tasks take items in. One that is not taken in becomes a task of its own, whatever has become of the waiting one. */
  private async gather(call: EnqueueCall, waiting: readonly Waiting[]): Promise<void> {
    const commands = waiting.map((one) => call.gatheringCommand(one));
    const outcomes = await this.runner.runMany(taskDecider, commands, call.context);
    outcomes.forEach((outcome, at) => {
      const { index, taskId } = waiting[at]!;
      if (outcome.kind === 'accepted') {
        call.done(index, 'gathered', receiptOf(taskId, outcome), dueOf(outcome));
        this.deduplications.gathered.add(call.items[index]!.queue);
      } else if (outcome.kind === 'rejected') call.lineUp(index, taskId);
      else this.notTaken(call, index, outcome);
    });
  }

  private notTaken(call: EnqueueCall, index: number, outcome: TaskOutcome): void {
    if (outcome.kind === 'refused' && outcome.constraint === 'idempotency-key') {
      call.replay(index, outcome.recorded);
    } else if (outcome.kind === 'refused' && outcome.constraint === 'too-large') {
      call.refuse(index, { code: 'EVENT_TOO_LARGE', bytes: outcome.bytes, limit: outcome.limit });
    } else if (outcome.kind === 'failed') {
      call.refuse(index, { code: 'COMMAND_FAILED' });
    } else if (outcome.kind === 'unreadable') {
      call.refuse(index, unreadable(outcome.error));
    } else this.lookAgain(call, index);
  }
}

const isCopyWithoutPayload = ({ rerunOf, payload }: EnqueueItem): boolean =>
  rerunOf !== undefined && outsidePayloadIn(payload) !== null;

/**
 * Whether the task that waits for the item's key may answer the item. It cannot stand for one of a batch, because that would be missing
 * there, nor for a job with its items, nor for one that plans a batch or runs another task again.
 */
const mayStandFor = ({ batch, items, plans, rerunOf }: EnqueueItem, { duplicatePending }: QueuePolicy): boolean =>
  duplicatePending !== 'refuse' &&
  duplicatePending !== 'gather' &&
  [batch, items, plans, rerunOf].every((one) => one === undefined);

function wayOf({ duplicatePending }: QueuePolicy): Waiting['way'] {
  if (duplicatePending === 'gather') return 'gather';
  return duplicatePending === 'replace-payload' ? 'replace' : 'stand';
}

const dueOf = ({ state }: Extract<TaskOutcome, { readonly kind: 'accepted' }>): IsoTime | null =>
  state.status === 'unknown' ? null : state.task.dueAt;

/** The time limits that the waiting task gets with the item's payload. */

const limitsOf = ({ expiresAt, ttlMs, deadlineAt }: EnqueueItem, policy: QueuePolicy): WaitingLimits => {
  const life = ttlMs ?? policy.ttlMs;
  return {
    ...(expiresAt === undefined ? life !== null && { ttlMs: life } : { expiresAt }),
    ...(deadlineAt !== undefined && { deadlineAt }),
  };
};
