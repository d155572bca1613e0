import type { HistoryAtHand, RecordedEvent } from '../../../application/kernel/event-store.port.js';
import type { TaskEvent } from '../../../domain/task/task.events.js';
import { TASK_CATEGORY } from '../../../domain/task/task.stream.js';
import { categoryOf } from '../../../domain/events.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import { streamKey } from '../../database/stream-key.js';
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
  /** The stream's number among those asked for, from 1. */
  readonly at: number;
  readonly revision: number;
  readonly position: string;
  readonly events: string;
}

const HISTORIES = {
  name: 'waybill_open_histories',
  text: `select s.at::int, h.revision, t.position, h.events from unnest($1::uuid[]) with ordinality as s(task, at)
    join open_histories h on h.task_id = s.task join tasks t on t.task_id = s.task where t.revision = h.revision`,
};

/** The histories of open tasks as far as the index has applied them, by the number of the stream among those given. */
export async function openHistories(
  pool: PostgresPool,
  streams: readonly string[],
): Promise<ReadonlyMap<number, HistoryAtHand>> {
  const tasks = streams.map((stream) => (categoryOf(stream) === TASK_CATEGORY ? streamKey(stream).id : null));
  const { rows } = await pool.query<HistoryRow>({ ...HISTORIES, values: [tasks] });
  return new Map(rows.map((row) => [row.at - 1, historyOf(row)]));
}

const historyOf = ({ revision, position, events }: HistoryRow): HistoryAtHand => ({
  events: keptHistory(events).map(({ event }) => event),
  revision,
  position: BigInt(position),
  fresh: false,
});
