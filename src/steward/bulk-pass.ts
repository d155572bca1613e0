import { Logger } from '@nestjs/common';
import type { Run } from '@waybill/client';
import type {
  BulkCheckpoint,
  BulkCheckpoints,
  TakenTasks,
} from '../application/bulk-operations/bulk-checkpoints.port.js';
import type { RunAgain } from '../application/bulk-operations/bulk-command.js';
import type { BulkResult, Refusal } from '../application/bulk-operations/bulk-operation.js';
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
export type BulkPage = Pick<BulkCheckpoint, 'tasks' | 'cursor' | 'list'>;

export type ManyGiven = Omit<ManyTasks, 'operation'> &
  Pick<BulkPage, 'list'> & { readonly operation: ManyTasks['operation'] | RunAgain };

/** The task was not asked, because it comes again or is not meant. */
export const UNASKED = Symbol('unasked');

type Given = Refusal | string | null | typeof UNASKED;

export interface PassWork {
  /** Each task's refusal or its code, in order, or null. */
  give(many: ManyGiven, context: CommandContext): Promise<readonly Given[]>;
  /** Whether the operation still runs under this fencing token, and nobody asked it to stop. */
  hasStanding(operation: string, fencingToken: string): Promise<boolean>;
  readonly checkpoints: BulkCheckpoints;
}

/** Decides by the ends of the first tasks whether the others get the command. */
export interface Trial {
  readonly first: number;
  readonly withinMs: number;
  /** Waits until it is decided. */
  passes(tried: readonly string[], endsBy: string): Promise<boolean>;
}

export interface PassOrder extends Pick<ManyGiven, 'operation' | 'isOfferedAnyway' | 'asPreviewed'> {
  /** How many tasks are expected, for the progress. */
  readonly expected: number;
  /** Whoever ordered it, who is the actor of every command, and why. */
  readonly context: CommandContext;
  /** At most `limit` tasks, or as many as a page has. */
  page(cursor: string | null, limit?: number): Promise<BulkPage>;
  readonly trial?: Trial;
  /** Resolves once the next tasks may get the command, after so many that began to get it at `began` (`performance.now`). */
  pace?(tasks: number, began: number): Promise<void>;
  /** Set if it is kept which tasks have the command. */
  readonly keepsTasks?: true;
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
   * command of an operation only once, so an interrupted operation neither skips a task nor changes one twice. Ends before
   * the list does if the trial does not pass.
   */
  async finish(): Promise<BulkResult> {
    const last = await this.work.checkpoints.last(this.id);
    return last ? this.goOn(last, true) : this.begin();
  }

  /** Goes through the list from its beginning. `before`: what was counted before. */
  async begin(before: BulkResult = new BulkTally().result): Promise<BulkResult> {
    const tried = this.order.trial && [];
    const page = await this.order.page(null, this.order.trial?.first);
    return this.goOn({ ...page, result: before, ...(tried && { tried }) }, false);
  }

  private async goOn(from: BulkCheckpoint, isRepeated: boolean): Promise<BulkResult> {
    let taken: TakenTasks | null = null;
    for (let at = from, repeats = isRepeated; ; repeats = false) {
      await this.save(at, taken);
      const began = performance.now();
      const given = await this.giveTo(at, repeats);
      taken = { page: at.page ?? 0, tasks: given.taken };
      if (at.cursor === null) return this.ended(at, given.result, taken);
      if (!(await this.passes(at))) return given.result;
      await this.order.pace?.(at.tasks.length, began);
      at = await this.next(at, given);
    }
  }

  /** Its checkpoint stays as it is if the trial does not pass, so that a repetition gets no further. */
  private async passes({ tried, endsBy }: BulkCheckpoint): Promise<boolean> {
    return endsBy === undefined || this.order.trial!.passes(tried!, endsBy);
  }

  private async next(at: BulkCheckpoint, { result, taken }: Page): Promise<BulkCheckpoint> {
    const { trial } = this.order;
    const rest = { result, page: (at.page ?? 0) + 1 };
    if (!trial || !at.tried || at.endsBy !== undefined) return { ...(await this.order.page(at.cursor)), ...rest };
    const tried = [...at.tried, ...taken];
    const lacking = trial.first - tried.length;
    if (lacking > 0) return { ...(await this.order.page(at.cursor, lacking)), ...rest, tried };
    return {
      tasks: [],
      cursor: at.cursor,
      ...rest,
      tried,
      endsBy: new Date(Date.now() + trial.withinMs).toISOString(),
    };
  }

  private async ended({ page = 0 }: BulkCheckpoint, result: BulkResult, taken: TakenTasks): Promise<BulkResult> {
    await this.save({ tasks: [], cursor: null, result, page: page + 1 }, taken);
    return result;
  }

  private async save(checkpoint: BulkCheckpoint, taken: TakenTasks | null): Promise<void> {
    const { checkpoints } = this.work;
    const kept = this.order.keepsTasks ? taken : null;
    if (await checkpoints.save(this.id, this.run.fencingToken, checkpoint, kept)) return;
    throw new Error('Expected to save how far the operation is, but a later attempt has done so');
  }

  /** The worker hears of a request to stop, or of the loss of its lease, seconds later; until then nothing more is given. */
  private async assertStanding(): Promise<void> {
    const { signal, fencingToken } = this.run;
    if (!signal.aborted && !(await this.work.hasStanding(this.id, fencingToken))) await aborted(signal);
    signal.throwIfAborted();
  }

  private async giveTo({ tasks, result, list }: BulkCheckpoint, isRepeated: boolean): Promise<Page> {
    await this.assertStanding();
    const { expected, context, operation, isOfferedAnyway, asPreviewed } = this.order;
    const [tally, taken] = [new BulkTally(result), [] as string[]];
    const given = chunksOf(tasks).map(async (some) => {
      const many = { tasks: some, list, operation, isOfferedAnyway, asPreviewed, origin: `op:${this.id}`, isRepeated };
      const codes = await giveEach(this.work, many, context);
      some.forEach((task, index) => {
        const given = codes[index]!;
        if (given !== UNASKED) tally.add(task, given);
      });
      taken.push(...some.filter((_, index) => codes[index] === null));
      this.run.progress('tasks', { end: Math.max(tally.asked, expected), position: tally.asked });
    });
    // Waits for all, so that no command is still given after the attempt has ended.
    for (const one of await Promise.allSettled(given)) if (one.status === 'rejected') throw one.reason;
    return { result: tally.result, taken };
  }
}

/** What became of the tasks of a checkpoint, and which of them have the command. */
interface Page {
  readonly result: BulkResult;
  readonly taken: readonly string[];
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Gives the command to the tasks together or, if that fails, to fewer, so that a task on which it fails refuses it alone. */
export async function giveEach(work: PassWork, many: ManyGiven, context: CommandContext): Promise<readonly Given[]> {
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
