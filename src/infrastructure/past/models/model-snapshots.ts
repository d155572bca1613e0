import type { Projection } from '../../../projections/kernel/projection.js';
import type { ModelRow } from '../../../projections/kernel/rows-then.port.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import { statement } from '../../database/sql.js';
import type { RowsAt } from './rows-after.js';

/** Where the rows of a model are kept, with the bytes of the snapshot that they were made with. */
export interface KeptAt {
  readonly position: bigint;
  readonly bytes: number;
}

interface Asked {
  readonly model: string;
  readonly version: number;
}

const BEFORE = statement<Asked & { position: string }>(
  'waybill_model_snapshot_before',
  `select position, rows from model_snapshots where model = :model and version = :version::int and position <= :position::bigint
   order by position desc limit 1`,
);

const EVERY = statement<Asked>(
  'waybill_every_model_snapshot',
  'select position, bytes from model_snapshots where model = :model and version = :version::int order by position',
);

const STORE = statement<Asked & { position: string; rows: string; bytes: number }>(
  'waybill_store_model_snapshot',
  `insert into model_snapshots (model, version, position, rows, bytes)
   values (:model, :version::int, :position::bigint, :rows::jsonb, :bytes::bigint) on conflict do nothing`,
);

const askedOf = ({ name: model, version }: Projection<never>): Asked => ({ model, version });

/** The rows of models that count, as of some positions. */
export class ModelSnapshots {
  constructor(private readonly pool: PostgresPool) {}

  /** The last ones at or before a position; at the beginning of the log there are none. */
  async before(model: Projection<never>, position: bigint): Promise<RowsAt> {
    const asked = { ...askedOf(model), position: String(position) };
    const { rows } = await this.pool.query<{ position: string; rows: readonly ModelRow[] }>(BEFORE.with(asked));
    const [found] = rows;
    if (!found) return { position: 0n, rows: [] };
    const times = Object.entries(model.tables[0]!.columns).flatMap(([name, type]) =>
      type === 'timestamptz' ? name : [],
    );
    return { position: BigInt(found.position), rows: found.rows.map((row) => withTimes(row, times)) };
  }

  async everyPosition(model: Projection<never>): Promise<readonly KeptAt[]> {
    const { rows } = await this.pool.query<{ position: string; bytes: string }>(EVERY.with(askedOf(model)));
    return rows.map(({ position, bytes }) => ({ position: BigInt(position), bytes: Number(bytes) }));
  }

  /** Changes nothing if there are some at the position. */
  async store(model: Projection<never>, { position, rows }: RowsAt, bytes: number): Promise<void> {
    const stored = { position: String(position), rows: JSON.stringify(rows), bytes };
    await this.pool.query(STORE.with({ ...askedOf(model), ...stored }));
  }
}

/** Postgres writes times in another form than events do. */
function withTimes(row: ModelRow, times: readonly string[]): ModelRow {
  if (times.length === 0) return row;
  const written = times.map((name) => [name, row[name] === null ? null : new Date(row[name] as string).toISOString()]);
  return { ...row, ...(Object.fromEntries(written) as ModelRow) };
}
