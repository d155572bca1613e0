import { Logger } from '@nestjs/common';
import { NO_STREAM, type RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { UnreadableStream } from '../../../application/kernel/unreadable-stream.js';
import { categoryOf, idOfStream } from '../../../domain/aggregates.js';
import { EVENTS } from '../../../domain/events.js';
import { TASK_CATEGORY, taskStream } from '../../../domain/task/task.stream.js';
import { faultInTriggerEvent } from '../../../domain/trigger/sound-event.js';
import { TRIGGER_CATEGORY, triggerStream } from '../../../domain/trigger/trigger.stream.js';
import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import { isRefusedData } from '../../database/refused-data.js';
import { inTransaction } from '../../database/transaction.js';
import { ROW_CATEGORIES } from '../../dispatch-index/aggregate-rows.js';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import { type Step, type Stored, applyGroups, wholeAppends } from './apply-request.js';

/** An append whose events the index cannot apply, or that follows such an append in its stream. */
export interface ParkedAppend {
  readonly append: Stored;
  readonly error: string;
}

/** The SQLSTATE class of the index's own refusals. */
const OWN_ERRORS = 'WB';

export interface Divided {
  readonly open: readonly Step[];
  readonly parked: readonly ParkedAppend[];
}

/** What the database has of streams of which a part is parked. */
interface ParkedKind {
  /** Their names, and the last revision that the index has applied. */
  readonly select: string;
  readonly stream: (id: string) => string;
  /** The stream is applied again to its end. */
  readonly end: string;
}

/**
 * The categories whose streams can be put aside one by one: only their own row depends on their events. Without an event of a
 * queue, a resource, a hold or the system, tasks would run that must not. The counts of a batch follow its tasks, so that a batch
 * which is applied later would lack those that ended meanwhile. The index stops at these. It keeps nothing of a queue's consumers.
 */
const KINDS: Readonly<Record<string, ParkedKind>> = {
  [TASK_CATEGORY]: {
    select:
      'select a.task_id as id, t.revision from quarantined a left join known_tasks t on t.task_id = a.task_id where a.parked',
    stream: taskStream,
    // From then on the task is one that is to be read again.
    end: 'update quarantined set parked = false, retry_at = now() where task_id = $1',
  },
  [TRIGGER_CATEGORY]: {
    select: `select a.line as id, t.revision from events_put_aside a left join triggers t on t.name = a.line where a.follower = '${INDEX_FOLLOWER}'`,
    stream: triggerStream,
    end: `delete from events_put_aside where follower = '${INDEX_FOLLOWER}' and line = $1`,
  },
};

const FOLLOWS = 'an event before it could not be applied';
const MOST_TEXT = 1_000;

/**
 * The tasks and triggers whose events the index cannot apply: this build does not know an event, or its data are damaged. Such
 * a one is put aside with the row that it has. All that follows in its stream is parked too, so that each row is always the
 * fold of a beginning of its stream.
 */
export class ParkedStreams {
  private readonly logger = new Logger('Quarantine');
  private streams: ReadonlySet<string> = new Set();

  constructor(
    private readonly pool: PostgresPool,
    private readonly log: Pick<EventStoreDbLog, 'readStream'>,
  ) {}

  /** Applies what was parked, up to the position that the index has reached, if this build can. */
  async applyAgain(reached: bigint): Promise<void> {
    const left = new Set<string>();
    for (const { select, stream } of Object.values(KINDS)) {
      const { rows } = await this.pool.query<{ id: string; revision: number | null }>(select);
      for (const { id, revision } of rows)
        if (!(await this.isApplied(stream(id), revision ?? NO_STREAM, reached))) left.add(stream(id));
    }
    this.streams = left;
  }

  /** Divides the appends into those to apply and those to park. Throws `Unappliable` if one can be neither. */
  divide(steps: readonly Step[]): Divided {
    if (this.streams.size === 0 && steps.every(({ appends }) => appends.every(isKnown)))
      return { open: steps.filter(hasAppends), parked: [] };
    const aside = new Set(this.streams);
    const parked: ParkedAppend[] = [];
    const isOpen = (append: Stored): boolean => {
      const [{ stream }] = append as [RecordedEvent];
      const error = aside.has(stream) ? FOLLOWS : problemIn(append);
      if (error === null) return true;
      if (!isParkable(stream)) throw new Unappliable(error);
      aside.add(stream);
      parked.push({ append, error });
      return false;
    };
    const open = steps.map((step) => ({ ...step, appends: step.appends.filter(isOpen) }));
    return { open: open.filter(hasAppends), parked };
  }

  /** Remembers what was parked, once that is committed. */
  added(parked: readonly ParkedAppend[]): void {
    if (parked.length === 0) return;
    const streams = new Set(this.streams);
    for (const { append, error } of parked) {
      const { stream, position } = append[0]!;
      if (!streams.has(stream))
        this.logger.error(
          `${new UnreadableStream(stream, position, error).message}. The ${categoryOf(stream)} is put aside; no other is affected`,
        );
      streams.add(stream);
    }
    this.streams = streams;
  }

  private async isApplied(stream: string, revision: number, reached: bigint): Promise<boolean> {
    try {
      const events = await this.log.readStream(stream, revision + 1);
      await this.apply(stream, wholeAppends(events.filter(({ position }) => position <= reached)));
      this.logger.log(`Applied the events of '${stream}' that could not be applied before`);
      return true;
    } catch (error) {
      if (!isUnappliable(error)) throw error;
      return false;
    }
  }

  private async apply(stream: string, appends: readonly Stored[]): Promise<void> {
    for (const append of appends) throwUnlessKnown(append);
    const steps = appends.map((append) => ({ position: append.at(-1)!.position, appends: [append] }));
    const groups = JSON.stringify(applicable(steps));
    await inTransaction(this.pool, async (connection) => {
      await connection.query('select waybill_apply($1)', [groups]);
      await connection.query(KINDS[categoryOf(stream)]!.end, [idOfStream(stream)]);
    });
  }
}

export const isParkable = (stream: string): boolean => categoryOf(stream) in KINDS;

/** The steps make no changes that the index could apply. */
export class Unappliable extends Error {
  override readonly name = 'Unappliable';
}

/** Whether the events are at fault, so that to try again is no use. */
export const isUnappliable = (error: unknown): boolean =>
  error instanceof UnreadableStream || error instanceof Unappliable || isRefusedData(error, OWN_ERRORS);

/** What the index applies. Throws `Unappliable` if the data of an event make no sense. */
export function applicable(steps: readonly Step[]): ReturnType<typeof applyGroups> {
  try {
    return applyGroups(steps);
  } catch (error) {
    throw new Unappliable((error as Error).message, { cause: error });
  }
}

/** The parameter of `waybill_park`. */
export const parkRequest = (parked: readonly ParkedAppend[]): string =>
  JSON.stringify(
    parked.map(({ append, error }) => {
      const { id, stream } = append[0]!;
      const { position, recordedAt: at } = append.at(-1)!;
      const of = { [categoryOf(stream)]: idOfStream(stream) };
      return { id, ...of, position: String(position), at, error: error.slice(0, MOST_TEXT) };
    }),
  );

const hasAppends = ({ appends }: Step): boolean => appends.length > 0;

const isKnown = (append: Stored): boolean => problemIn(append) === null;

/** Throws `UnreadableStream` if this build cannot apply the append. */
export function throwUnlessKnown(append: Stored): void {
  const problem = problemIn(append);
  if (problem !== null) throw new UnreadableStream(append[0]!.stream, append[0]!.position, problem);
}

/** Why this build cannot apply the append; null if it can, or if the index keeps nothing of its stream. */
function problemIn(append: Stored): string | null {
  const category = categoryOf(append[0]!.stream);
  if (category !== TASK_CATEGORY && !ROW_CATEGORIES.includes(category)) return null;
  for (const { event, stream } of append) {
    if (EVENTS[event.type as keyof typeof EVENTS]?.version !== event.version)
      return `this build does not know '${event.type}' version ${event.version}`;
    const fault = category === TRIGGER_CATEGORY ? faultInTriggerEvent(idOfStream(stream), event) : null;
    if (fault !== null) return fault;
  }
  return null;
}
