import { STEP_BYTES } from '../../../domain/kernel/byte-budget.js';
import type { HistoryAtHand, RecordedEvent, Recollection } from '../../../application/kernel/event-store.port.js';
import { readable } from '../../../application/kernel/unreadable-stream.js';
import type { TaskEvent } from '../../../domain/task/task.events.js';
import { TASK_CATEGORY, taskIdOf, taskStream } from '../../../domain/task/task.stream.js';
import { categoryOf } from '../../../domain/aggregates.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import { eventCodec } from '../../event-codec/event-codec.js';

/** An event of an open task that the index keeps at hand. */
export interface KeptEvent {
  readonly event: TaskEvent;
  readonly recordedAt: string;
  /** Where the trace stood within which the event was recorded. Kept of the first event of a task alone. */
  readonly traceparent?: string;
}

/** What would be kept of an event that was read from the log. */
export const keptOf = ({ event, recordedAt, envelope }: RecordedEvent<TaskEvent>): KeptEvent => ({
  event,
  recordedAt,
  ...(envelope.traceparent !== undefined && { traceparent: envelope.traceparent }),
});

type Kept = Pick<RecordedEvent, 'event' | 'recordedAt' | 'position' | 'revision'> & {
  readonly envelope: { readonly correlationId: string; readonly traceparent?: string };
};

/** STORAGE FORMAT of `open_histories.events`: one event a line. */
export const historyText = (events: readonly Kept[]): string =>
  events.map((one) => JSON.stringify(lineOf(one))).join('\n');

interface Line {
  readonly type: string;
  readonly version: number;
  readonly recordedAt: string;
  readonly data: object;
  /** Both of those that `isMarked`. Earlier builds wrote none. */
  readonly position?: string;
  readonly for?: string;
  /** Of the first event, if it has one. Earlier builds wrote none. */
  readonly traceparent?: string;
}

function lineOf({ event: { type, version, data }, recordedAt, position, revision, envelope }: Kept): Line {
  const { traceparent } = envelope;
  const isTraced = revision === 0 && traceparent !== undefined;
  const line = { type, version, recordedAt, data, ...(isTraced && { traceparent }) };
  return isMarked(type) ? { ...line, position: String(position), for: envelope.correlationId } : line;
}

/** No command for many tasks that can be undone makes these, and no place in line is taken with them: nearly all events of plain lives. */
const UNMARKED: ReadonlySet<string> = new Set<TaskEvent['type']>([
  'TaskPrepared',
  'TaskEnqueued',
  'TaskSubmitted',
  'TaskClaimed',
  'TaskStepCompleted',
  'TaskAttemptFailed',
  'TaskFailed',
]);

/** Whether the event is kept with its position and what it was given for. */
export const isMarked = (type: string): boolean => !UNMARKED.has(type);

/** Throws on an event that this program does not know, because a decision needs the whole history. */
export const keptHistory = (text: string): KeptEvent[] =>
  linesOf(text).map((line) => {
    const { recordedAt, traceparent } = line;
    return { event: eventIn(line), recordedAt, ...(traceparent !== undefined && { traceparent }) };
  });

const linesOf = (text: string): readonly Line[] => JSON.parse(`[${text.replaceAll('\n', ',')}]`) as Line[];

const eventIn = ({ type, version, data }: Line): TaskEvent => eventCodec.upcast(type, version, data) as TaskEvent;

interface HistoryRow {
  readonly task_id: string;
  readonly revision: number;
  /** Null if the task's row is at another revision. */
  readonly position: string | null;
  /** Null if those before it have enough bytes. */
  readonly events: string | null;
}

/** Without a join, which would read a whole table if it was planned while that was small. */
const HISTORIES = {
  name: 'waybill_open_histories',
  text: `select s.task_id, s.revision, case when coalesce(s.before, 0) < $2 then s.events end as events,
      (select t.position from tasks t where t.task_id = s.task_id and t.revision = s.revision) as position
    from (select h.*, sum(octet_length(h.events)) over (order by u.at rows between unbounded preceding and 1 preceding) as before, u.at
      from unnest($1::uuid[]) with ordinality as u(task_id, at)
      cross join lateral (select o.task_id, o.revision, o.events from open_histories o where o.task_id = u.task_id
        union all select e.task_id, e.revision, e.events from ended_histories e where e.task_id = u.task_id limit 1) h) s order by s.at`,
};

export interface OpenHistories<H> {
  /** By the names of their streams. */
  readonly histories: ReadonlyMap<string, H>;
  /** The first stream whose history does not fit into memory with those before it; null if all fit. */
  readonly leftOut: string | null;
}

/** What is made of the text of a history and its last event; null if that is not enough. */
type Made<H> = (text: string, revision: number, position: bigint) => H | null;

/** The histories of open tasks, and of those that may be restored, as far as the index has applied them. */
export async function openHistories<H>(
  pool: PostgresPool,
  streams: readonly string[],
  made: Made<H>,
): Promise<OpenHistories<H>> {
  const tasks = streams.filter((stream) => categoryOf(stream) === TASK_CATEGORY).map(taskIdOf);
  if (tasks.length === 0) return { histories: new Map(), leftOut: null };
  const { rows } = await pool.query<HistoryRow>({ ...HISTORIES, values: [tasks, STEP_BYTES] });
  const histories = new Map<string, H>();
  for (const { task_id, revision, events, position } of rows) {
    const stream = taskStream(task_id);
    if (events === null) return { histories, leftOut: stream };
    if (position === null) continue;
    const history = readable(stream, BigInt(position), () => made(events, revision, BigInt(position)));
    if (history !== null) histories.set(stream, history);
  }
  return { histories, leftOut: null };
}

export const historyOf = (text: string, revision: number, position: bigint): HistoryAtHand => ({
  events: keptHistory(text).map(({ event }) => event),
  revision,
  position,
  fresh: false,
});

/** Null if an earlier build, which did not mark events, wrote some of it. */
export function recollectionOf(text: string, revision: number, position: bigint): Recollection | null {
  const lines = linesOf(text);
  if (lines.some((line) => isMarked(line.type) && line.for === undefined)) return null;
  const events = lines.map((line) => ({
    event: eventIn(line),
    position: line.position === undefined ? null : BigInt(line.position),
    correlationId: line.for ?? null,
  }));
  return { events, revision, position };
}
