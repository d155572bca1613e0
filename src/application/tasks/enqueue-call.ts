import type { IsoTime, JsonObject } from '../../domain/kernel/json.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { TaskCommand } from '../../domain/task/task.commands.js';
import type { Prerequisite, Submission } from '../../domain/task/task.events.js';
import type { TaskState } from '../../domain/task/task.state.js';
import type { WaitingLimits } from '../../domain/task/waiting-limits.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { canonicalSha256 } from '../kernel/canonical-json.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import type { StreamCommand } from '../kernel/stream-command.js';
import type {
  AppendConditions,
  IdempotencyKey,
  RecordedAnswer,
  RecordedEvent,
  Refusal,
} from '../kernel/event-store.port.js';
import type { UnrecordedAnswer } from '../kernel/idempotency-keys.port.js';
import { keyOf } from '../kernel/idempotency.js';
import { newId } from '../kernel/new-id.js';
import { Patience } from '../kernel/patience.js';
import { type KeptAnswer, receiptOf, replayOf } from '../kernel/receipt.js';
import { type Admission, holdRef } from './admission.js';
import {
  type EnqueueItem,
  type EnqueueOutcome,
  type EnqueueRejection,
  type EnqueueStatus,
  repeated,
} from './enqueue-item.js';
import { isMadeOf } from './made-of-item.js';
import { asStored } from './stored-payload.js';

const NOTHING: readonly Prerequisite[] = [];

/** An item whose key already has a waiting task. */
export interface Waiting {
  readonly index: number;
  /** The id of that waiting task. */
  readonly taskId: string;
  /** What the waiting task does with the item: nothing but stand for it, take over its payload, or take it in. */
  readonly way: 'stand' | 'replace' | 'gather';
  /** The time limits that the item brings. */
  readonly limits: WaitingLimits;
  /** Its queue's. */
  readonly policy: QueuePolicy;
}

/** The key under which a gathered item with an id of its own is kept, because no task has this id. */
const ownKey = (item: EnqueueItem, answer: KeptAnswer): IdempotencyKey => {
  const { taskId, ...content } = item;
  return { key: `gathered ${taskId}`, item: 0, fingerprint: canonicalSha256(content as object as JsonObject), answer };
};

/** One call of `EnqueueTasks`: which items are still open, and the answers of the others. */
export class EnqueueCall {
  readonly outcomes: EnqueueOutcome[];
  private readonly ids: readonly string[];
  private open: number[];
  private rounds = 0;
  private readonly patience = new Patience();
  /** The revisions at which queues were when the append found them changed, and the round of that. */
  private readonly changes = new Map<string, { readonly revision: number; readonly round: number }>();
  private readonly doubted = new Set<string>();
  private readonly tried = new Set<number>();
  private readonly inDoubt = new Map<number, Refusal>();
  private readonly refusedBefore = new Set<number>();
  /** Admitted items that are gathered, as they would begin a task, and the tasks behind which items line up. */
  private readonly gathered = new Map<number, Submission>();
  private readonly behind = new Map<number, string>();

  constructor(
    readonly items: readonly EnqueueItem[],
    readonly context: CommandContext,
    readonly now: IsoTime,
  ) {
    this.outcomes = new Array<EnqueueOutcome>(items.length);
    this.ids = items.map(({ taskId }) => taskId ?? newId());
    this.open = items.map((_, index) => index);
  }

  /** Takes the items that have no answer yet. A caller that cannot answer one returns it with `reopen`. */
  takeOpen(): readonly number[] {
    const open = this.open;
    this.open = [];
    this.rounds += 1;
    return open;
  }

  /**
   * Whether to try open items another time, when it is time for that. A refusal based on a cached queue, a changed queue, and a
   * waiting task that left its place before its payload was replaced cost one try each. Otherwise they are contended.
   */
  async mayTry(open: readonly number[]): Promise<boolean> {
    if (this.isFirstRound || (await this.patience.again())) return true;
    open.forEach((index) => this.refuse(index, { code: 'CONTENTION' }));
    return false;
  }

  /** Notes that the append found the queue changed since this revision. */
  foundChanged(queue: string, revision: number): void {
    const before = this.changes.get(queue);
    if (before?.revision === revision && before.round !== this.rounds) this.doubted.add(queue);
    else this.changes.set(queue, { revision, round: this.rounds });
  }

  /**
   * Takes the queues that the append found changed in two rounds, though they were read in between and have not: their rows in the
   * index may be wrong.
   */
  takeDoubted(): readonly string[] {
    const doubted = [...this.doubted];
    this.doubted.clear();
    for (const queue of doubted) this.changes.delete(queue);
    return doubted;
  }

  /** Keeps a refusal that may follow from a wrong row of a batch. Each item may be refused so once, and the next time for good. */
  refuseInDoubt(index: number, rejection: EnqueueRejection, refusal: Refusal): void {
    this.refuse(index, rejection);
    if (!this.refusedBefore.has(index)) this.inDoubt.set(index, refusal);
    this.refusedBefore.add(index);
  }

  takeInDoubt(): ReadonlyMap<number, Refusal> {
    const inDoubt = new Map(this.inDoubt);
    this.inDoubt.clear();
    return inDoubt;
  }

  get isFirstRound(): boolean {
    return this.rounds === 1;
  }

  /** Whether the task is that of an item that is to be tried again. */
  isOpen(taskId: string): boolean {
    return this.open.some((index) => this.ids[index] === taskId);
  }

  reopen(index: number): void {
    this.open.push(index);
  }

  /** Has the item tried again as a task of its own behind this one, which does not take it in. */
  lineUp(index: number, taskId: string): void {
    this.behind.set(index, taskId);
    this.reopen(index);
  }

  isGathered(index: number): boolean {
    return this.gathered.has(index);
  }

  /** `dueAt`: of the task that took the item in; of a new one that gathers it is as submitted. */
  done(index: number, status: EnqueueStatus, receipt: Receipt, dueAt?: IsoTime | null): void {
    const due = dueAt ?? (status === 'enqueued' ? this.gathered.get(index)?.dueAt : undefined);
    const done = { kind: 'done' as const, receipt, status };
    this.outcomes[index] = due === undefined ? done : { ...done, dueAt: due };
  }

  refuse(index: number, rejection: EnqueueRejection): void {
    this.outcomes[index] = { kind: 'refused', rejection };
  }

  /** Refused items whose tasks may exist nevertheless: the caller gave the id, or an append was tried. */
  get maybeStored(): readonly number[] {
    const hasBeenSeen = (index: number): boolean => this.items[index]!.taskId !== null || this.tried.has(index);
    return this.outcomes.flatMap(({ kind }, index) => (kind === 'refused' && hasBeenSeen(index) ? index : []));
  }

  /** Answers with the task that was created from this item earlier. */
  recognise(index: number, history: readonly RecordedEvent[]): void {
    const [first, last] = [history[0], history.at(-1)!];
    if (!first || !isMadeOf(first.event, this.items[index]!)) return;
    const { position, revision } = last;
    this.done(index, 'existing', receiptOf(this.idOf(index), { kind: 'alreadyDone', position, revision }));
  }

  /** Answers with what is stored under the item's idempotency key. */
  replay(index: number, recorded: RecordedAnswer): void {
    const { idempotencyKey } = this.context;
    const { fingerprint } = idempotencyKey ?? this.keyOfRepeat(index)!;
    const replay = replayOf(recorded, fingerprint);
    if (replay) this.outcomes[index] = repeated(replay);
    else this.refuse(index, { code: idempotencyKey ? 'IDEMPOTENCY_KEY_REUSED' : 'TASK_EXISTS' });
  }

  idOf(index: number): string {
    return this.ids[index]!;
  }

  /** The item's id and what its task waits for. */
  arrangementOf(index: number): { readonly id: string; readonly after: readonly Prerequisite[] } {
    return { id: this.idOf(index), after: this.items[index]!.after ?? NOTHING };
  }

  workFor(
    index: number,
    { queue, submission }: Admission,
    conditions: AppendConditions,
  ): StreamCommand<TaskState, TaskCommand> {
    this.tried.add(index);
    if (submission.gathers) this.gathered.set(index, submission);
    const work: StreamCommand<TaskState, TaskCommand> = {
      stream: taskStream(this.idOf(index)),
      command: this.commandFor(this.items[index]!, submission),
      conditions: this.conditionsOf(index, conditions),
      load: 'new',
      policyVersion: queue.policyVersion,
      policy: queue.policy,
    };
    return this.within(index, submission, work);
  }

  /**
   * The command on the waiting task: accepted or already done while the task waits, refused once it has left its place.
   */
  waitingTaskCommand({ index, taskId, way, limits, policy }: Waiting): StreamCommand<TaskState, TaskCommand> {
    const given = { now: this.now, by: this.context.actor };
    const { payload = null } = this.items[index]!;
    const amend: TaskCommand | null = way === 'replace' ? { ...given, type: 'AmendPayload', payload, limits } : null;
    const stillWaits: TaskCommand = { ...given, type: 'SubmitTask', heldBy: null };
    return {
      stream: taskStream(taskId),
      command: (state) =>
        amend && (state.status === 'pending' || state.status === 'held') ? asStored(amend, state) : stillWaits,
      conditions: { idempotencyKey: this.keyOf(index, 'replaced') },
      load: 'whole',
      policy,
    };
  }

  /** The command by which the waiting task takes the item in. */
  gatheringCommand({ index, taskId, limits, policy }: Waiting): StreamCommand<TaskState, TaskCommand> {
    const submission = this.gathered.get(index)!;
    const given = { now: this.now, by: this.context.actor };
    const work: StreamCommand<TaskState, TaskCommand> = {
      stream: taskStream(taskId),
      command: { ...given, type: 'GatherSubmission', submission, limits, mostBytes: policy.limits.payloadBytes },
      conditions: { idempotencyKey: this.keyOf(index, 'gathered') },
      load: 'whole',
      policy,
    };
    return this.within(index, submission, work);
  }

  /** With the event and the trace within which the item was submitted, if it names them. */
  private within(
    index: number,
    { context: causationId }: Submission,
    work: StreamCommand<TaskState, TaskCommand>,
  ): StreamCommand<TaskState, TaskCommand> {
    const { traceparent } = this.items[index]!;
    const caused = causationId === undefined ? work : { ...work, causationId };
    return traceparent === undefined ? caused : { ...caused, traceparent };
  }

  /**
   * The key of one item. A request may enqueue many, each under its own item number. A gathered item that has an id has a key also without
   * one of the request, because nothing else tells that it is repeated.
   */
  keyOf(index: number, answer: KeptAnswer): IdempotencyKey | undefined {
    const item = this.items[index]!;
    const own = this.gathered.has(index) && item.taskId !== null ? ownKey(item, answer) : undefined;
    return keyOf(this.context, answer, index) ?? own;
  }

  /** The key under which the item's answer may be kept, whether or not its queue would take it by now. */
  keyOfRepeat(index: number): IdempotencyKey | undefined {
    const item = this.items[index]!;
    const own = item.taskId !== null && item.key !== undefined ? ownKey(item, 'recorded') : undefined;
    return this.keyOf(index, 'recorded') ?? own;
  }

  private conditionsOf(index: number, ofQueue: AppendConditions): AppendConditions {
    const idempotencyKey = this.keyOf(index, 'recorded');
    const behind = this.behind.get(index);
    if (idempotencyKey === undefined && behind === undefined) return ofQueue;
    return { ...ofQueue, ...(idempotencyKey && { idempotencyKey }), ...(behind !== undefined && { behind }) };
  }

  /** Answers that recorded nothing, so no append has taken their keys. */
  get unrecorded(): readonly { readonly index: number; readonly answer: UnrecordedAnswer }[] {
    return this.outcomes.flatMap((outcome, index) => {
      const key = this.keyOf(index, 'existing');
      if (!key || outcome.kind !== 'done' || outcome.receipt.recorded || outcome.receipt.replayed) return [];
      const { id, revision, position } = outcome.receipt;
      return [{ index, answer: { ...key, stream: taskStream(id), revision, position } }];
    });
  }

  private commandFor(item: EnqueueItem, submission: Submission): TaskCommand {
    const { now, context } = this;
    if (item.rejected) {
      const { message, class: of = 'business' } = item.rejected;
      return { type: 'RejectEnqueue', now, by: context.actor, submission, error: { message, class: of } };
    }
    return item.prepared
      ? { type: 'PrepareTask', now, by: context.actor, submission }
      : { type: 'EnqueueTask', now, by: context.actor, submission, heldBy: holdRef(item, context.actor) };
  }
}
