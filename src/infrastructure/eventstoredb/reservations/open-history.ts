import type { HistoryAtHand, RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { readable } from '../../../application/kernel/unreadable-stream.js';
import type { TaskEvent } from '../../../domain/task/task.events.js';
import { TASK_CATEGORY, taskIdOf, taskStream } from '../../../domain/task/task.stream.js';
import { categoryOf } from '../../../domain/events.js';
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
  readonly events: string;
}

/** Without a join, which would read a whole table if it was planned while that was small. */
const HISTORIES = {
  name: 'waybill_open_histories',
  text: `select h.task_id, h.revision, h.events,
      (select t.position from tasks t where t.task_id = h.task_id and t.revision = h.revision) as position
    from open_histories h where h.task_id = any ($1)`,
};

/** The histories of open tasks, as far as the index has applied them, by the names of their streams. */
export async function openHistories(
  pool: PostgresPool,
  streams: readonly string[],
): Promise<ReadonlyMap<string, HistoryAtHand>> {
  const tasks = streams.filter((stream) => categoryOf(stream) === TASK_CATEGORY).map(taskIdOf);
  if (tasks.length === 0) return new Map();
  const { rows } = await pool.query<HistoryRow>({ ...HISTORIES, values: [tasks] });
  const applied = rows.filter(({ position }) => position !== null);
  return new Map(
    applied.map((row) => {
      const stream = taskStream(row.task_id);
      return [stream, readable(stream, BigInt(row.position!), () => historyOf(row))];
    }),
  );
}

const historyOf = ({ revision, position, events }: HistoryRow): HistoryAtHand => ({
  events: keptHistory(events).map(({ event }) => event),
  revision,
  position: BigInt(position!),
  fresh: false,
});
