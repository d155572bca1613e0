import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { TaskState } from '../../domain/task/task.state.js';
import { ahead } from '../kernel/ahead.js';
import { BatchDirectory } from '../kernel/batch-directory.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import type { Previewed } from '../kernel/decider-run.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { EventStore, type Refusal } from '../kernel/event-store.port.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { operationOn, type TaskOperation } from '../tasks/task-operation.js';
import { TaskStreamCommand } from '../tasks/task-stream-command.js';
import type { Together } from './taken-along.js';
import { UndoCommands, type UndoOnTask } from './undo-commands.js';
import type { Undoing } from './undo-order.js';
import { eventTriggers, firedBy } from '../triggers/fired-by.js';
import { TriggerStates } from '../triggers/trigger-states.port.js';
import { IndexLook, NO_WAITERS } from './index-look.port.js';
import { type OperationPreview, PreviewTally } from './operation-preview.js';

/** The most tasks that one preview decides. */
export const MOST_PREVIEWED = 10_000;

/** The tasks that are read and decided together. */
const PART = 500;

/** The parts that are under way: while one is decided, the database looks for another. Of one after the other, 10,000 tasks took 3.1 s. */
const PARTS_AT_ONCE = 2;

/** How long to wait for the index: without it, each history is read from the log. */
const INDEX_MS = 2_000;

/** What a command would do with each of these tasks, at most `MOST_PREVIEWED`. Records nothing. */
export class PreviewOperation extends Command<OperationPreview> {
  constructor(
    readonly tasks: readonly string[],
    readonly operation: TaskOperation | Undoing,
    readonly context: CommandContext,
    readonly together: Together = APART,
  ) {
    super();
  }
}

const APART: Together = { tasks: [], along: new Set(), needs: new Map() };

type PreviewedTask = Previewed<TaskState, TaskEvent, TaskRejection>;

/** What one preview keeps while it goes through its tasks. */
interface Pass {
  readonly position: bigint;
  readonly mustRead: boolean;
  readonly tally: PreviewTally;
  /** The waiting places that its tasks would take: of two tasks of a key, one is refused. */
  readonly keys: Set<string>;
  readonly triggers: Awaited<ReturnType<typeof eventTriggers>>;
  readonly aborted: string[];
  readonly together: Together;
  /** The tasks of an undo that count as restored for those that wait for them. */
  readonly restored: ReadonlySet<string>;
  /** The tasks of an undo that would stay aborted. */
  readonly stuck: Set<string>;
}

@CommandHandler(PreviewOperation)
export class PreviewOperationHandler implements ICommandHandler<PreviewOperation> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly store: EventStore,
    private readonly queues: QueueDirectory,
    private readonly batches: BatchDirectory,
    private readonly index: IndexLook,
    private readonly triggers: TriggerStates,
    private readonly undo: UndoCommands,
  ) {}

  async execute({ tasks, operation, context, together }: PreviewOperation): Promise<OperationPreview> {
    // Read first: what changes from here on counts as changed since the preview.
    const position = await this.store.head();
    // What is at hand lacks nothing then that was recorded before.
    const mustRead = !(await this.store.isIndexed(position, INDEX_MS));
    const taken = { keys: new Set<string>(), aborted: [] as string[], stuck: new Set<string>() };
    const triggers = await eventTriggers(this.triggers);
    const restored = new Set(together.tasks);
    const pass = { position, mustRead, tally: new PreviewTally(), ...taken, triggers, together, restored };
    const answers = ahead(partsOf(tasks), PARTS_AT_ONCE, (part) => this.answers(part, operation, context, pass));
    for await (const told of answers) for (const [task, answer] of told) tell(task, answer, pass);
    const waiters = taken.aborted.length > 0 ? await this.index.waitersOf(taken.aborted) : NO_WAITERS;
    return pass.tally.result(position, waiters);
  }

  private async answers(
    tasks: readonly string[],
    operation: TaskOperation | Undoing,
    context: CommandContext,
    pass: Pass,
  ): Promise<readonly Told[]> {
    const given: readonly UndoOnTask[] =
      'undoes' in operation
        ? await this.undo.on(tasks, operation, context, pass.restored)
        : this.commandsOn(tasks, operation, context, pass);
    const work = given.filter((one) => one instanceof TaskStreamCommand);
    const decided = (await this.decided(work, context, pass)).values();
    return given.map((one, at) => [tasks[at]!, one instanceof TaskStreamCommand ? decided.next().value! : one]);
  }

  private commandsOn(
    tasks: readonly string[],
    operation: TaskOperation,
    context: CommandContext,
    { position }: Pass,
  ): readonly TaskStreamCommand[] {
    const about = { now: this.clock.iso(), context, queues: this.queues, batches: this.batches };
    const more = { idempotencyKey: undefined, asPreviewed: position };
    return tasks.map((task) => operationOn(task, operation, { ...about, ...more }));
  }

  private async decided(
    work: readonly TaskStreamCommand[],
    context: CommandContext,
    { mustRead }: Pass,
  ): Promise<readonly Looked[]> {
    const previews = await this.runner.preview(taskDecider, work, context, mustRead);
    const items = previews.flatMap((one) => (one.kind === 'decided' && one.item ? [one.item] : []));
    const refusals = items.length > 0 ? (await this.index.refusals(items)).values() : [].values();
    return previews.map((preview, at) => {
      const refusal = preview.kind === 'decided' && preview.item ? (refusals.next().value ?? null) : null;
      return { preview, work: work[at]!, refusal };
    });
  }
}

const partsOf = (tasks: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(tasks.length / PART) }, (_, at) => tasks.slice(at * PART, (at + 1) * PART));

/** What is decided of a task, and why the index would refuse it. */
interface Looked {
  readonly preview: PreviewedTask;
  readonly work: TaskStreamCommand;
  readonly refusal: Refusal | null;
}

type Answer = Looked | Exclude<UndoOnTask, TaskStreamCommand>;
type Told = readonly [task: string, answer: Answer];

function tell(task: string, answer: Answer, pass: Pass): void {
  if (answer === 'undone') pass.tally.leave();
  else if (answer === 'nothing') leaveOut(task, pass);
  else if ('code' in answer) pass.tally.refuse(task, answer.code);
  else tellDecided(task, answer, pass);
}

/** What others took along is not the operation's. */
const leaveOut = (task: string, { tally, together }: Pass): void => {
  if (!together.along.has(task)) tally.leave();
};

function tellDecided(task: string, looked: Looked, pass: Pass): void {
  const code = isStuck(task, pass) ? 'PREREQUISITE_DEAD' : codeOf(looked, pass);
  if (code !== null) {
    pass.stuck.add(task);
    return pass.tally.refuse(task, code);
  }
  const { from, to, decision } = looked.preview as Extract<PreviewedTask, { readonly kind: 'decided' }>;
  if (from.status === 'unknown' || to.status === 'unknown') return;
  pass.tally.accept(task, from.status, to.status);
  if (pass.together.along.has(task)) pass.tally.takeAlong();
  if (decision.kind !== 'accepted') return;
  if (to.status === 'aborted') pass.aborted.push(task);
  for (const name of firedBy(pass.triggers, decision.events)) pass.tally.fire(name);
}

const isStuck = (task: string, { together, stuck }: Pass): boolean =>
  together.needs.get(task)?.some((one) => stuck.has(one)) ?? false;

/** The code of the task's refusal; null if it would have the command. */
function codeOf({ preview: one, work, refusal }: Looked, { keys }: Pass): string | null {
  if (one.kind === 'unreadable') return 'STREAM_UNREADABLE';
  if (one.kind === 'failed') return 'COMMAND_FAILED';
  const { decision, from, to } = one;
  if (decision.kind === 'rejected') return decision.rejection.code;
  if (decision.kind !== 'accepted') return null;
  if (refusal !== null) return work.rejectionFor(refusal).code;
  return isPlaceTaken(from, to, keys) ? 'KEY_ALREADY_WAITING' : null;
}

/** Whether another task of the preview takes the waiting place of the key. Otherwise, this one does. */
function isPlaceTaken(from: TaskState, to: TaskState, keys: Set<string>): boolean {
  if (to.status === 'unknown' || !waits(to) || waits(from)) return false;
  const { queue, key } = to.task.submission;
  if (key === undefined) return false;
  const place = `${queue}\n${key}`;
  if (keys.has(place)) return true;
  keys.add(place);
  return false;
}

const waits = ({ status }: TaskState): boolean => status === 'pending' || status === 'held';
