import { Injectable } from '@nestjs/common';
import { idOf, ignoresAbort } from '../../domain/task/prerequisites.js';
import type { TaskCommand } from '../../domain/task/task.commands.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import type { Before, TaskState } from '../../domain/task/task.state.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { type Rejection, unreadable } from '../kernel/application-error.js';
import { BatchDirectory } from '../kernel/batch-directory.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { type AppendConditions, EventStore, recollected, type Recollection } from '../kernel/event-store.port.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { readEach, UnreadableStream } from '../kernel/unreadable-stream.js';
import { operationOn } from '../tasks/task-operation.js';
import { TaskStreamCommand } from '../tasks/task-stream-command.js';
import { leftBehind, type LeftBehind } from './left-behind.js';
import type { Undoing } from './undo-order.js';

/** The command that makes a task what it was before an operation, or why there is none: it is so already, or the operation changed nothing. */
export type UndoOnTask = TaskStreamCommand | Rejection | 'undone' | 'nothing';

interface Given extends Undoing {
  readonly now: string;
  readonly context: CommandContext;
  readonly asPreviewed: bigint;
  readonly restored: ReadonlySet<string>;
}

const NOBODY: ReadonlySet<string> = new Set();

/** How long to wait for the index: without it, each history is read from the log. */
const INDEX_MS = 2_000;

type Last = Extract<LeftBehind, { readonly kind: 'last' }>;

/** Makes the commands that undo an operation. */
@Injectable()
export class UndoCommands {
  constructor(
    private readonly clock: Clock,
    private readonly store: EventStore,
    private readonly queues: QueueDirectory,
    private readonly batches: BatchDirectory,
  ) {}

  /**
   * One per task. The context's correlation id is that of the undo. A command refuses with CHANGED_SINCE_PREVIEW what changes from now on.
   * `restored`: tasks that count as restored, so that what waits for them may be, too.
   */
  async on(
    tasks: readonly string[],
    undoing: Undoing,
    context: CommandContext,
    restored = NOBODY,
  ): Promise<readonly UndoOnTask[]> {
    // Read first: what changes from here on is not in the histories for certain.
    const asPreviewed = await this.store.head();
    const look = (history: Recollection) => leftBehind(history, undoing.undoes, context.correlationId);
    const left = await this.leftBy(tasks, look, await this.store.isIndexed(asPreviewed, INDEX_MS));
    const given = { ...undoing, asPreviewed, context, restored, now: this.clock.iso() };
    return left.map((one, at) => {
      if (one instanceof UnreadableStream) return unreadable(one);
      if (one.kind === 'last') return this.commandOn(tasks[at]!, one, given);
      return one.kind === 'changed' ? one.rejection : one.kind;
    });
  }

  /** From what is at hand, if that lacks nothing. Streams are read of those of which it does not say all. */
  private async leftBy(
    tasks: readonly string[],
    look: (history: Recollection) => LeftBehind | null,
    isAtHand: boolean,
  ): Promise<readonly (LeftBehind | UnreadableStream)[]> {
    const streams = tasks.map(taskStream);
    const found = isAtHand ? await readEach(streams, (some) => this.store.recall(some), look) : streams.map(() => null);
    const unclear = streams.filter((_, at) => found[at] === null);
    const read = async (some: readonly string[]) => (await this.store.readFirst(some)).map(recollected);
    const others = (await readEach(unclear, read, (history) => look(history)!)).values();
    return found.map((one) => one ?? others.next().value!);
  }

  private commandOn(taskId: string, { before, now: loaded }: Last, given: Given): TaskStreamCommand {
    const { queues, batches } = this;
    if (given.again)
      return operationOn(taskId, given.command, { ...given, queues, batches, idempotencyKey: undefined });
    return new TaskStreamCommand({
      taskId,
      load: 'whole',
      loaded,
      command: () => opposite(before, given),
      conditions: (state) => returning(state, before, given.restored),
      queues,
      offeredAs: given.command.type,
      asPreviewed: given.asPreviewed,
    });
  }
}

/** Of a changed priority the opposite is another change: nothing else of the task has to be as before. */
function opposite(before: Before, { command: { type }, undoes, now, context: { actor: by } }: Given): TaskCommand {
  return type === 'ReprioritiseTask'
    ? { type, now, by, priority: before.state.task.priority }
    : { type: 'RestoreTask', now, by, undoes, before };
}

/** A copy has the reference of its original, which keeps it from others. */
function returning(state: TaskState, { state: { status } }: Before, restored: ReadonlySet<string>): AppendConditions {
  if (state.status !== 'aborted' && state.status !== 'deleted') return {};
  const { queue, reference, batch, rerunOf } = state.task.submission;
  const ofBatch = batch !== undefined && { batch };
  if (OVER.includes(status)) return { returns: { queue, ...ofBatch } };
  const takesReference = reference !== undefined && rerunOf === undefined;
  const needs = state.task.after.filter((one) => !ignoresAbort(one) && !restored.has(idOf(one))).map(idOf);
  return { returns: { queue, ...(takesReference && { reference }), ...ofBatch, ...(needs.length > 0 && { needs }) } };
}

/** The states in which a task waits for nothing, and its reference may be taken by another one. */
const OVER: readonly TaskStatus[] = ['succeeded', 'aborted', 'superseded', 'deleted'];
