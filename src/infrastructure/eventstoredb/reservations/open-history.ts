import { STEP_BYTES } from '../../../domain/kernel/byte-budget.js';
import type { HistoryAtHand, RecordedEvent } from '../../../application/kernel/event-store.port.js';
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
}

/** STORAGE FORMAT of `open_histories.events`: one event a line. */
export const historyText = (events: readonly Pick<RecordedEvent, 'event' | 'recordedAt'>[]): string =>
  events
    .map(({ event: { type, version, data }, recordedAt }) => lineOf({ type, version, recordedAt, data }))
    .join('\n');

interface Line {
  readonly type: string;
  readonly version: number;
  readonly recordedAt: string;
  readonly data: object;
}

const lineOf = (line: Line): string => JSON.stringify(line);

/** Throws on an event that this program does not know, because a decision needs the whole history. */
export const keptHistory = (text: string): KeptEvent[] =>
  (JSON.parse(`[${text.replaceAll('\n', ',')}]`) as Line[]).map(({ type, version, recordedAt, data }) => ({
    event: eventCodec.upcast(type, version, data) as TaskEvent,
    recordedAt,
  }));

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
      cross join lateral (select o.* from open_histories o where o.task_id = u.task_id limit 1) h) s order by s.at`,
};

export interface OpenHistories {
  /** By the names of their streams. */
  readonly histories: ReadonlyMap<string, HistoryAtHand>;
  /** The first stream whose history does not fit into memory with those before it; null if all fit. */
  readonly leftOut: string | null;
}

/** The histories of open tasks, as far as the index has applied them. */
export async function openHistories(pool: PostgresPool, streams: readonly string[]): Promise<OpenHistories> {
  const tasks = streams.filter((stream) => categoryOf(stream) === TASK_CATEGORY).map(taskIdOf);
  if (tasks.length === 0) return { histories: new Map(), leftOut: null };
  const { rows } = await pool.query<HistoryRow>({ ...HISTORIES, values: [tasks, STEP_BYTES] });
  const histories = new Map<string, HistoryAtHand>();
  for (const { task_id, revision, events, position } of rows) {
    const stream = taskStream(task_id);
    if (events === null) return { histories, leftOut: stream };
    if (position === null) continue;
    const history = (): HistoryAtHand => historyOf(events, revision, BigInt(position));
    histories.set(stream, readable(stream, BigInt(position), history));
  }
  return { histories, leftOut: null };
}

const historyOf = (text: string, revision: number, position: bigint): HistoryAtHand => ({
  events: keptHistory(text).map(({ event }) => event),
  revision,
  position,
  fresh: false,
});
