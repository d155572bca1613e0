import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import { TASK_STATUSES } from '../../../domain/task/task.events.js';
import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import { readSql, statement } from '../../database/sql.js';
import { KEPT_MODELS } from '../kept-models.js';
import {
  type Base,
  BEGINNING,
  eventsBetween,
  eventsUntilNext,
  type LogScale,
  positionsOf,
  type Snapshot,
} from './snapshot.js';
import { type BaseRow, baseOf } from './snapshots.js';

/** SQL for the position up to which the rows have the log: in this database they are written with it. */
const POSITION = {
  here: 'coalesce((select position + n - 1 from segments order by position desc limit 1), 0)',
  elsewhere: `coalesce((select position from projection_checkpoints where name = '${INDEX_FOLLOWER}' and slot = 'live'), 0)`,
} as const;

const COLUMNS = TASK_STATUSES.map((state) => `'${state}', nullif(${state}, 0)`).join(', ');

/** SQL for the rows of the models that are kept with a snapshot. Each is as of the checkpoint of its follower. */
const MODELS = KEPT_MODELS.map(
  ({ model: { name, version, tables }, rowsNow }) =>
    `select '${name}' as model, ${version} as version, (select coalesce(jsonb_agg(to_jsonb(t) - 'position'), '[]') from ${rowsNow ? `(${rowsNow})` : tables[0]!.name} t) as rows`,
).join(' union all ');

/** What a fold reads twice at most. */
const COUNTS_BEHIND = 16_384;

interface Take {
  /** By so many positions the counts may be behind. */
  readonly mostBehind: string;
  readonly role: string | null;
  readonly epoch: string | null;
}

const takeOf = (place: LogScale['place']) =>
  statement<Take>(
    `waybill_take_snapshot_${place}`,
    readSql(import.meta.url, 'take-snapshot', { POSITION: POSITION[place], COUNTS: COLUMNS, MODELS }),
  );

const sinceOf = (place: LogScale['place']) => ({
  name: `waybill_since_snapshot_${place}`,
  text: `select h.head, s.position, s.counted_at as "countedAt", s.bytes, coalesce(s.made_at < now() - interval '1 hour', true) as "isOld"
    from (select ${POSITION[place]} as head) h left join (select * from snapshots order by position desc limit 1) s on true`,
});

const TAKE = { here: takeOf('here'), elsewhere: takeOf('elsewhere') };

/** How far the rows are behind the last snapshot. */
export interface Since {
  readonly last: Base;
  /** Whether it was made more than an hour ago; true if there is none. */
  readonly isOld: boolean;
  /** Up to where the rows have the log. */
  readonly head: bigint;
}

const SINCE = {
  here: sinceOf('here'),
  elsewhere: sinceOf('elsewhere'),
};

/** Makes snapshots. Any number of processes may do it at once. */
export class SnapshotWriter {
  constructor(
    private readonly pool: PostgresPool,
    private readonly scale: LogScale,
  ) {}

  async since(): Promise<Since> {
    const { rows } = await this.pool.query<SinceRow>({ ...SINCE[this.scale.place], values: [] });
    const { head, isOld, ...last } = rows[0]!;
    return { last: last.position === null ? BEGINNING : baseOf(last as BaseRow), isOld, head: BigInt(head) };
  }

  /** The first snapshot, or the beginning of the log, after which the next one is more than twice as far as usual; null if there is none. */
  async lastBeforeGap(): Promise<Base | null> {
    const { head } = await this.since();
    const { rows } = await this.pool.query<BaseRow>(EVERY);
    const bases = [BEGINNING, ...rows.map(baseOf)];
    const isGap = (base: Base, at: number) => {
      const events = eventsBetween(this.scale, base.position, bases[at + 1]?.position ?? head);
      return events > 2 * eventsUntilNext(this.scale, base);
    };
    return bases.find(isGap) ?? null;
  }

  /**
   * Of the rows, as one statement sees them. Returns its position, or null if there is one there already, or the rows do not tell: while a
   * transaction is stored in parts, events of a task could not be applied, or the counts are far behind.
   */
  async take(term: LeaderTerm | null = null): Promise<bigint | null> {
    const { rows } = await this.pool.query<{ position: string }>(
      TAKE[this.scale.place].with({
        mostBehind: String(positionsOf(this.scale, COUNTS_BEHIND)),
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

/** A column of the last snapshot is null if there is none. */
type SinceRow = { readonly [C in keyof BaseRow]: BaseRow[C] | null } & {
  readonly head: string;
  readonly isOld: boolean;
};

/** A log of 1,000,000,000 events has some thousands. */
const EVERY = {
  name: 'waybill_every_snapshot',
  text: 'select position, counted_at as "countedAt", bytes from snapshots order by position',
  values: [],
};

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
