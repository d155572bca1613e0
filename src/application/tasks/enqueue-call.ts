import type { IsoTime } from '../../domain/kernel/json.js';
import type { TaskCommand } from '../../domain/task/task.commands.js';
import type { Submission } from '../../domain/task/task.events.js';
import type { TaskState } from '../../domain/task/task.state.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import type { StreamCommand } from '../kernel/stream-command.js';
import type { AppendConditions, IdempotencyKey, RecordedAnswer, RecordedEvent } from '../kernel/event-store.port.js';
import type { UnrecordedAnswer } from '../kernel/idempotency-keys.port.js';
import { keyOf } from '../kernel/idempotency.js';
import { newId } from '../kernel/new-id.js';
import { type KeptAnswer, receiptOf, replayOf } from '../kernel/receipt.js';
import { type Admission, holdRef } from './admission.js';
import type { EnqueueItem, EnqueueOutcome, EnqueueRejection } from './enqueue-item.js';
import { isMadeOf } from './made-of-item.js';

/** A queue's doubtful refusal, a changed queue and a waiting task that left each cost a round; more than that is contention. */
const ROUNDS = 5;

/** A request that did nothing new for the item was answered with the task that was there. */
const STATUS_OF = { recorded: 'enqueued', replaced: 'replaced', existing: 'existing', unchanged: 'existing' } as const;

/** An item whose key already has a waiting task. */
export interface Waiting {
  readonly index: number;
  /** The other task's id. */
  readonly taskId: string;
  /** Whether it takes over the item's payload. */
  readonly replaces: boolean;
}

/** One call of `EnqueueTasks`: which items are still open, and what the others were answered. */
export class EnqueueCall {
  readonly outcomes: EnqueueOutcome[];
  private readonly ids: readonly string[];
  private open: number[];
  private rounds = 0;
  private readonly tried = new Set<number>();

  constructor(
    readonly items: readonly EnqueueItem[],
    readonly context: CommandContext,
    readonly now: IsoTime,
  ) {
    this.outcomes = new Array<EnqueueOutcome>(items.length);
    this.ids = items.map(({ taskId }) => taskId ?? newId());
    this.open = items.map((_, index) => index);
  }

  /** The items without an answer; whoever cannot answer one gives it back with `reopen`. */
  takeOpen(): readonly number[] {
    const open = this.open;
    this.open = [];
    this.rounds += 1;
    if (this.rounds <= ROUNDS) return open;
    open.forEach((index) => this.refuse(index, { code: 'CONTENTION' }));
    return [];
  }

  get isFirstRound(): boolean {
    return this.rounds === 1;
  }

  reopen(index: number): void {
    this.open.push(index);
  }

  done(index: number, status: 'enqueued' | 'existing' | 'replaced', receipt: Receipt): void {
    this.outcomes[index] = { kind: 'done', receipt, status };
  }

  refuse(index: number, rejection: EnqueueRejection): void {
    this.outcomes[index] = { kind: 'refused', rejection };
  }

  /** The refused items whose tasks may be there all the same: their ids were given, or an append of them was tried. */
  get maybeStored(): readonly number[] {
    const hasBeenSeen = (index: number): boolean => this.items[index]!.taskId !== null || this.tried.has(index);
    return this.outcomes.flatMap(({ kind }, index) => (kind === 'refused' && hasBeenSeen(index) ? index : []));
  }

  /** Answers with the task that was made of the item before. */
  recognise(index: number, history: readonly RecordedEvent[]): void {
    const [first, last] = [history[0], history.at(-1)!];
    if (!first || !isMadeOf(first.event, this.items[index]!)) return;
    const { position, revision } = last;
    this.done(index, 'existing', receiptOf(this.idOf(index), { kind: 'alreadyDone', position, revision }));
  }

  /** Answers with what took the item's idempotency key before. */
  replay(index: number, recorded: RecordedAnswer): void {
    const replay = replayOf(recorded, this.context.idempotencyKey!.fingerprint);
    if (replay) this.done(index, STATUS_OF[replay.answer], replay.receipt);
    else this.refuse(index, { code: 'IDEMPOTENCY_KEY_REUSED' });
  }

  idOf(index: number): string {
    return this.ids[index]!;
  }

  workFor(
    index: number,
    { queue, submission }: Admission,
    conditions: AppendConditions,
  ): StreamCommand<TaskState, TaskCommand> {
    this.tried.add(index);
    return {
      stream: taskStream(this.idOf(index)),
      command: this.commandFor(this.items[index]!, submission),
      conditions: this.context.idempotencyKey
        ? { ...conditions, idempotencyKey: this.keyOf(index, 'recorded') }
        : conditions,
      load: 'new',
      policyVersion: queue.policyVersion,
    };
  }

  /** Accepted, or already done, as long as the task waits; refused when it has left its place. */
  waitingTaskCommand({ index, taskId, replaces }: Waiting): StreamCommand<TaskState, TaskCommand> {
    const given = { now: this.now, by: this.context.actor };
    const amend: TaskCommand = { ...given, type: 'AmendPayload', payload: this.items[index]!.payload ?? null };
    const stillWaits: TaskCommand = { ...given, type: 'SubmitTask', heldBy: null };
    return {
      stream: taskStream(taskId),
      command: ({ status }) => (replaces && (status === 'pending' || status === 'held') ? amend : stillWaits),
      conditions: { idempotencyKey: this.keyOf(index, 'replaced') },
      load: 'fresh',
    };
  }

  /** One request may enqueue many: each item has a key of its own. */
  keyOf(index: number, answer: KeptAnswer): IdempotencyKey | undefined {
    return keyOf(this.context, answer, index);
  }

  /** Answers that recorded nothing, and so took no key with an append. */
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
    return item.prepared
      ? { type: 'PrepareTask', now, by: context.actor, submission }
      : { type: 'EnqueueTask', now, by: context.actor, submission, heldBy: holdRef(item, context.actor) };
  }
}
