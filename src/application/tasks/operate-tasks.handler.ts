import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { TaskState } from '../../domain/task/task.state.js';
import type { Rejection } from '../kernel/application-error.js';
import { BatchDirectory } from '../kernel/batch-directory.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import type { IdempotencyKey } from '../kernel/event-store.port.js';
import { IdempotencyKeys } from '../kernel/idempotency-keys.port.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import type { Outcome } from '../kernel/stream-command.js';
import { operationOn, type TaskOperation } from './task-operation.js';
import type { TaskStreamCommand } from './task-stream-command.js';

/** The code of each task's refusal, in the order of the tasks; null if it has the command. */
type Codes = readonly (Rejection['code'] | null)[];

export interface ManyTasks {
  readonly tasks: readonly string[];
  readonly operation: TaskOperation;
  /** Identifies what gives the command. It gives it to a task only once. */
  readonly origin: string;
  /** Whether it may have given it to some of the tasks before. Their refusals are then looked into. */
  readonly isRepeated: boolean;
  /** The queue's policy need not offer the command, because it is for the end of the queue. */
  readonly isOfferedAnyway?: true;
  /** The position of a preview: tasks that have changed since are left alone, and refuse with CHANGED_SINCE_PREVIEW. */
  readonly asPreviewed?: bigint | undefined;
}

/**
 * Gives a command to many tasks in one append, each decided by itself.
 */
export class OperateTasks extends Command<Codes> {
  constructor(
    readonly many: ManyTasks,
    readonly context: CommandContext,
  ) {
    super();
  }
}

type TaskOutcome = Outcome<TaskState, TaskEvent, TaskRejection>;

@CommandHandler(OperateTasks)
export class OperateTasksHandler implements ICommandHandler<OperateTasks> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly queues: QueueDirectory,
    private readonly batches: BatchDirectory,
    private readonly keys: IdempotencyKeys,
  ) {}

  async execute({ many, context }: OperateTasks): Promise<Codes> {
    const [now, queues, keys] = [this.clock.iso(), this.queues, many.tasks.map((task) => keyFor(many, task))];
    const work = many.tasks.map((task, at) =>
      operationOn(task, many.operation, {
        now,
        context,
        queues,
        batches: this.batches,
        idempotencyKey: keys[at],
        isOfferedAnyway: many.isOfferedAnyway,
        asPreviewed: many.asPreviewed,
      }),
    );
    const outcomes = await this.runner.runMany(taskDecider, work, context);
    const codes = outcomes.map((outcome, at) => refusalIn(outcome, work[at]!, many.origin));
    return many.isRepeated ? this.exceptRepeated(codes, keys) : codes;
  }

  /** Without the refusals of tasks that already have the command, and therefore refuse it now. */
  private exceptRepeated(codes: Codes, keys: readonly IdempotencyKey[]): Promise<Codes> {
    const isRecorded = async (at: number): Promise<boolean> => {
      const recorded = await this.keys.answerUnder(keys[at]!);
      return recorded?.fingerprint === keys[at]!.fingerprint;
    };
    return Promise.all(codes.map(async (code, at) => (code !== null && (await isRecorded(at)) ? null : code)));
  }
}

/** No request can take such a key before, because headers contain no line breaks. */
const keyFor = ({ origin }: ManyTasks, task: string): IdempotencyKey => ({
  key: `${origin}\n${task}`,
  fingerprint: origin,
  item: 0,
  answer: 'recorded',
});

function refusalIn(outcome: TaskOutcome, command: TaskStreamCommand, origin: string): Codes[number] {
  switch (outcome.kind) {
    case 'accepted':
    case 'alreadyDone':
      return null;
    case 'rejected':
      return outcome.rejection.code;
    case 'refused':
      if (outcome.constraint !== 'idempotency-key') return command.rejectionFor(outcome).code;
      return outcome.recorded.fingerprint === origin ? null : 'IDEMPOTENCY_KEY_REUSED';
    case 'contended':
      return 'CONTENTION';
    case 'failed':
      return 'COMMAND_FAILED';
    case 'unreadable':
      return 'STREAM_UNREADABLE';
  }
}
