import { Logger } from '@nestjs/common';
import type { Run } from '@waybill/client';
import type { BulkCheckpoint, BulkCheckpoints } from '../application/bulk-operations/bulk-checkpoints.port.js';
import type { BulkResult } from '../application/bulk-operations/bulk-operation.js';
import type { CommandContext } from '../application/kernel/command-context.js';
import { isConnectionError } from '../application/kernel/connection-errors.js';
import { EventStoreUnavailable } from '../application/kernel/event-store.port.js';
import { inHalves } from '../application/kernel/in-halves.js';
import type { ManyTasks } from '../application/tasks/operate-tasks.handler.js';
import { BulkTally } from './bulk-tally.js';

const LOGGER = new Logger('Operations');

/** The tasks of one append, which holds up the appends of others. Those of a checkpoint are made at the same time. */
const AT_ONCE = 100;

/** Some tasks, and where the list continues after them; null at its end. */
export type BulkPage = Pick<BulkCheckpoint, 'tasks' | 'cursor'>;

export interface PassWork {
  /** The code of each task's refusal, in order, or null. */
  give(many: ManyTasks, context: CommandContext): Promise<readonly (string | null)[]>;
  readonly checkpoints: BulkCheckpoints;
}

export interface PassOrder extends Pick<ManyTasks, 'operation' | 'isOfferedAnyway'> {
  /** How many tasks are expected, for the progress. */
  readonly expected: number;
  /** Whoever ordered it, who is the actor of every command, and why. */
  readonly context: CommandContext;
  page(cursor: string | null): Promise<BulkPage>;
}

/** Gives a command to each task of a list, in an attempt of an operation. */
export class BulkPass {
  private readonly id: string;

  constructor(
    private readonly run: Run<any>,
    private readonly work: PassWork,
    private readonly order: PassOrder,
  ) {
    this.id = run.task.taskId;
  }

  /**
   * Goes on where the operation stopped, or begins. A checkpoint precedes the commands of its tasks, and a task takes the
   * command of an operation only once, so an interrupted operation neither skips a task nor changes one twice.
   */
  async finish(): Promise<BulkResult> {
    const last = await this.work.checkpoints.last(this.id);
    return last ? this.goOn(last, true) : this.begin();
  }

  /** Goes through the list from its beginning. `before`: what was counted before. */
  async begin(before: BulkResult = new BulkTally().result): Promise<BulkResult> {
    return this.goOn({ ...(await this.order.page(null)), result: before }, false);
  }

  private async goOn(from: BulkCheckpoint, isRepeated: boolean): Promise<BulkResult> {
    for (let at = from, repeats = isRepeated; ; repeats = false) {
      await this.save(at);
      const result = await this.giveTo(at, repeats);
      if (at.cursor === null) return result;
      at = { ...(await this.order.page(at.cursor)), result };
    }
  }

  private async save(checkpoint: BulkCheckpoint): Promise<void> {
    if (await this.work.checkpoints.save(this.id, this.run.fencingToken, checkpoint)) return;
    throw new Error('Expected to save how far the operation is, but a later attempt has done so');
  }

  private async giveTo({ tasks, result }: BulkCheckpoint, isRepeated: boolean): Promise<BulkResult> {
    this.run.signal.throwIfAborted();
    const { expected, context, operation, isOfferedAnyway } = this.order;
    const tally = new BulkTally(result);
    const given = chunksOf(tasks).map(async (some) => {
      const many = { tasks: some, operation, isOfferedAnyway, origin: `op:${this.id}`, isRepeated };
      const codes = await giveEach(this.work, many, context);
      some.forEach((task, index) => tally.add(task, codes[index]!));
      this.run.progress('tasks', { end: Math.max(tally.asked, expected), position: tally.asked });
    });
    // Waits for all, so that no command is still given after the attempt has ended.
    for (const one of await Promise.allSettled(given)) if (one.status === 'rejected') throw one.reason;
    return tally.result;
  }
}

/** Gives the command to the tasks together or, if that fails, to fewer, so that a task on which it fails refuses it alone. */
export async function giveEach(
  work: PassWork,
  many: ManyTasks,
  context: CommandContext,
): Promise<readonly (string | null)[]> {
  const alone = (task: string, error: unknown): Promise<readonly string[]> => {
    LOGGER.error(
      `Expected to give a command to task ${task}, but: ${error instanceof Error ? error.stack : String(error)}`,
    );
    return Promise.resolve(['COMMAND_FAILED']);
  };
  const act = (tasks: readonly string[], isRepeated: boolean) =>
    work.give({ ...many, tasks, isRepeated: many.isRepeated || isRepeated }, context);
  return (await inHalves(many.tasks, act, { alone, concernsAll: isUnavailable })).flat();
}

const isUnavailable = (error: unknown): boolean => error instanceof EventStoreUnavailable || isConnectionError(error);

/** Splits the tasks into parts, each of which one append changes. */
export const chunksOf = (tasks: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(tasks.length / AT_ONCE) }, (_, at) => tasks.slice(at * AT_ONCE, (at + 1) * AT_ONCE));

/** The context of the commands of an operation: in the name and with the reason of whoever ordered it. */
export const contextOf = (id: string, { by: actor, reason }: { by: string; reason?: string }): CommandContext => ({
  actor,
  correlationId: id,
  ...(reason !== undefined && { reason }),
});
