import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import { TASK_STATUSES } from '../../../domain/task/task.events.js';
import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import { readSql, statement } from '../../database/sql.js';
import type { Snapshot } from './snapshot.js';

/** SQL for the position up to which the rows have the log: in this database they are written with it. */
const POSITION = {
  here: 'coalesce((select position + n - 1 from segments order by position desc limit 1), 0)',
  elsewhere: `coalesce((select position from projection_checkpoints where name = '${INDEX_FOLLOWER}' and slot = 'live'), 0)`,
} as const;

/** Where the events are: in this database, or in a store that the index follows. */
export type LogPlace = keyof typeof POSITION;

const COLUMNS = TASK_STATUSES.map((state) => `'${state}', nullif(${state}, 0)`).join(', ');

interface Take {
  /** By so many positions the counts may be behind. */
  readonly mostBehind: string;
  readonly role: string | null;
  readonly epoch: string | null;
}

const takeOf = (place: LogPlace) =>
  statement<Take>(
    `waybill_take_snapshot_${place}`,
    readSql(import.meta.url, 'take-snapshot', { POSITION: POSITION[place], COUNTS: COLUMNS }),
  );

const TAKE = { here: takeOf('here'), elsewhere: takeOf('elsewhere') };

/** Makes snapshots. Any number of processes may do it at once. */
export class SnapshotWriter {
  constructor(
    private readonly pool: PostgresPool,
    private readonly place: LogPlace,
  ) {}

  /**
   * Of the rows, as one statement sees them. Returns its position, or null if there is one there already, or the rows do not tell: while a
   * transaction is stored in parts, events of a task could not be applied, or the counts are further behind than that.
   */
  async take(mostBehind: bigint, term: LeaderTerm | null = null): Promise<bigint | null> {
    const { rows } = await this.pool.query<{ position: string }>(
      TAKE[this.place].with({
        mostBehind: String(mostBehind),
        role: term?.role ?? null,
        epoch: term?.epoch ?? null,
      }),
    );
    return rows[0] ? BigInt(rows[0].position) : null;
  }

  /** Of what was folded. Changes nothing if there is one at its position. */
  async store({ position, counts, sets }: Snapshot): Promise<void> {
    await this.pool.query(
      STORE.with({
        position: String(position),
        counts: JSON.stringify(Object.fromEntries(counts)),
        queues: sets.map(({ queue }) => queue),
        states: sets.map(({ state }) => state),
        ids: sets.map(({ ids }) => bytesOf(ids)),
      }),
    );
  }
}

const STORE = statement<{
  position: string;
  counts: string;
  queues: readonly string[];
  states: readonly string[];
  ids: readonly Buffer[];
}>(
  'waybill_store_snapshot',
  `with sets as (select * from unnest(:queues::text[], :states::text[], :ids::bytea[]) as s(queue, state, ids)),
   made as (insert into snapshots (position, counted_at, counts, bytes)
     select :position::bigint, :position::bigint, c.counts, pg_column_size(c.counts) + coalesce((select sum(128 + octet_length(ids)) from sets), 0)
     from (select :counts::jsonb as counts) c on conflict do nothing returning position)
   insert into snapshot_tasks (position, queue, state, ids) select m.position, s.queue, s.state, s.ids from made m cross join sets s`,
);

const bytesOf = (ids: readonly string[]): Buffer => Buffer.from(ids.join('').replaceAll('-', ''), 'hex');
