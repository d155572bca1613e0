import { Logger } from '@nestjs/common';
import type { RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { NO_STREAM } from '../../../application/kernel/event-store.port.js';
import { UnreadableStream } from '../../../application/kernel/unreadable-stream.js';
import { categoryOf, EVENTS } from '../../../domain/events.js';
import { TASK_CATEGORY, taskIdOf, taskStream } from '../../../domain/task/task.stream.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import { isRefusedData } from '../../database/refused-data.js';
import { inTransaction } from '../../database/transaction.js';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import { type Step, type Stored, wavesOf, wholeAppends } from './apply-request.js';

/** An append whose events the index cannot apply, or that follows such an append in its task's stream. */
export interface Parked {
  readonly append: Stored;
  readonly error: string;
}

/** The SQLSTATE class of the index's own refusals. */
export const OWN = 'WB';

export interface Divided {
  readonly open: readonly Step[];
  readonly parked: readonly Parked[];
}

const FOLLOWS = 'an event before it could not be applied';
const MOST_TEXT = 1_000;

/**
 * The tasks whose events the index cannot apply: this build does not know an event, or its data are damaged. Such a task
 * is put aside with the row that it has. All that follows in its stream is parked too, so that the row of each task is
 * always the fold of a beginning of its stream.
 */
export class ParkedTasks {
  private readonly logger = new Logger('Quarantine');
  private tasks: ReadonlySet<string> = new Set();

  constructor(
    private readonly pool: PostgresPool,
    private readonly log: Pick<EventStoreDbLog, 'readStream'>,
  ) {}

  /** Applies what was parked, up to the position that the index has reached, if this build can. */
  async applyAgain(reached: bigint): Promise<void> {
    const { rows } = await this.pool.query<{ task_id: string }>('select task_id from quarantined where parked');
    const left = new Set<string>();
    for (const { task_id: task } of rows) if (!(await this.isApplied(task, reached))) left.add(task);
    this.tasks = left;
  }

  /** Divides the appends into those to apply and those to park. */
  divide(steps: readonly Step[]): Divided {
    if (this.tasks.size === 0 && steps.every(({ appends }) => appends.every(isKnown)))
      return { open: steps.filter(hasAppends), parked: [] };
    const aside = new Set(this.tasks);
    const parked: Parked[] = [];
    const isOpen = (append: Stored): boolean => {
      const [{ stream }] = append as [RecordedEvent];
      if (categoryOf(stream) !== TASK_CATEGORY) return true;
      const error = aside.has(taskIdOf(stream)) ? FOLLOWS : problemIn(append);
      if (error === null) return true;
      aside.add(taskIdOf(stream));
      parked.push({ append, error });
      return false;
    };
    const open = steps.map((step) => ({ ...step, appends: step.appends.filter(isOpen) }));
    return { open: open.filter(hasAppends), parked };
  }

  /** Remembers what was parked, once that is committed. */
  added(parked: readonly Parked[]): void {
    if (parked.length === 0) return;
    const tasks = new Set(this.tasks);
    for (const { append, error } of parked) {
      const { stream, position } = append[0]!;
      if (!tasks.has(taskIdOf(stream)))
        this.logger.error(
          `${new UnreadableStream(stream, position, error).message}. The task is put aside; no other is affected`,
        );
      tasks.add(taskIdOf(stream));
    }
    this.tasks = tasks;
  }

  private async isApplied(task: string, reached: bigint): Promise<boolean> {
    try {
      const { rows } = await this.pool.query<{ revision: number }>(
        'select revision from known_tasks where task_id = $1',
        [task],
      );
      const events = await this.log.readStream(taskStream(task), (rows[0]?.revision ?? NO_STREAM) + 1);
      await this.apply(task, wholeAppends(events.filter(({ position }) => position <= reached)));
      this.logger.log(`Applied the events of task '${task}' that could not be applied before`);
      return true;
    } catch (error) {
      if (!(error instanceof UnreadableStream) && !(error instanceof Unappliable) && !isRefusedData(error, OWN))
        throw error;
      return false;
    }
  }

  /** From then on the task is one that is to be read again. */
  private async apply(task: string, appends: readonly Stored[]): Promise<void> {
    const steps = appends.map((append) => ({ position: append.at(-1)!.position, appends: [append] }));
    const waves = JSON.stringify(applicable(steps));
    await inTransaction(this.pool, async (connection) => {
      await connection.query('select waybill_apply($1)', [waves]);
      await connection.query('update quarantined set parked = false, retry_at = now() where task_id = $1', [task]);
    });
  }
}

/** The steps make no changes that the index could apply. */
export class Unappliable extends Error {
  override readonly name = 'Unappliable';
}

/** What the index applies. Throws `Unappliable` if the data of an event make no sense. */
export function applicable(steps: readonly Step[]): ReturnType<typeof wavesOf> {
  try {
    return wavesOf(steps);
  } catch (error) {
    throw new Unappliable((error as Error).message, { cause: error });
  }
}

/** The parameter of `waybill_park`. */
export const parkRequest = (parked: readonly Parked[]): string =>
  JSON.stringify(
    parked.map(({ append, error }) => ({
      id: append[0]!.id,
      task: taskIdOf(append[0]!.stream),
      position: String(append.at(-1)!.position),
      error: error.slice(0, MOST_TEXT),
    })),
  );

const hasAppends = ({ appends }: Step): boolean => appends.length > 0;

const isKnown = (append: Stored): boolean => problemIn(append) === null;

/** Why this build cannot apply the append; null if it can. */
export function problemIn(append: Stored): string | null {
  const unknown = append.find(
    ({ event: { type, version } }) => EVENTS[type as keyof typeof EVENTS]?.version !== version,
  );
  return unknown ? `this build does not know '${unknown.event.type}' version ${unknown.event.version}` : null;
}
