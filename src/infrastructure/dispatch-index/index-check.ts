import { AGGREGATE_MODELS } from '../../projections/kernel/aggregate-models.js';
import { TASK_COLUMNS } from '../../projections/kernel/rows/task-row.js';
import type { PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import { readSql } from '../database/sql.js';
import { onConnection } from '../database/transaction.js';
import type { DifferingRow, RebuildDiff } from '../../application/rebuilds/model-rebuilds.port.js';
import { IndexRebuild, type RebuildProgress, TABLES } from './index-rebuild.js';
import { LOG_HERE } from './rebuild/loaded-segments.js';
import type { RebuildLog } from './rebuild-log.js';

/** The most rows of a table that are named. */
const MOST = 20;

const STANDING = readSql(import.meta.url, 'rebuild/standing-faults', { MOST: MOST + 1 });

/** What no event tells: when a row was written, and that the sweeper is to look at a batch. */
const UNTOLD = ['updated_at', 'created_at', 'task_ended'];

/**
 * Builds the rows of the index from the log into temporary tables of the same names, which hide those in use from everything
 * that builds them, and compares both. It reads one snapshot of the database and takes no lock.
 */
export class IndexCheck {
  constructor(
    private readonly pool: PostgresPool,
    private readonly log: RebuildLog = LOG_HERE,
  ) {}

  /** `pool` must have a connection for this alone: its session has the temporary tables until the end. */
  async run(onProgress: (progress: RebuildProgress) => void = () => undefined): Promise<Omit<RebuildDiff, 'position'>> {
    return onConnection(this.pool, async (connection) => {
      await connection.query('begin isolation level repeatable read');
      try {
        await connection.query('set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0');
        const standing = await faultsOf(connection, 'index', STANDING);
        const schema = await schemaOf(connection);
        await hide(connection, schema);
        await new IndexRebuild(this.pool, this.log).rowsInto(connection, onProgress);
        const found = [standing, await this.tasks(connection, schema)];
        for (const table of AGGREGATE_MODELS.filter((model) => model !== 'tasks'))
          found.push(await rowsOf(connection, schema, table));
        return summed(found);
      } finally {
        await connection.query('rollback');
      }
    });
  }

  private tasks(connection: PostgresConnection, schema: string): Promise<Found> {
    const columns = Object.keys(TASK_COLUMNS).join(', ');
    const live = ['tasks', 'tasks_archive']
      .map((name) => `select ${columns} from ${schema}.${name}`)
      .join(' union all ');
    return compared(connection, 'tasks', 'task_id', `(${live})`, `(select ${columns} from pg_temp.tasks)`);
  }
}

type Found = Pick<RebuildDiff, 'rows' | 'first'>;

async function schemaOf(connection: PostgresConnection): Promise<string> {
  const { rows } = await connection.query(
    `select quote_ident(n.nspname) as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = 'tasks'::regclass`,
  );
  return (rows[0] as { schema: string }).schema;
}

/** Temporary tables come before all others of their names. */
async function hide(connection: PostgresConnection, schema: string): Promise<void> {
  for (const name of TABLES.split(', '))
    await connection.query(`create temp table ${name} (like ${schema}.${name} including all) on commit drop`);
  await connection.query(
    `create temp table reserved_prerequisites on commit drop as select * from ${schema}.prerequisites where reservation is not null`,
  );
}

async function rowsOf(connection: PostgresConnection, schema: string, table: string): Promise<Found> {
  const { rows } = await connection.query(
    `select quote_ident(attname) as key from pg_attribute where attrelid = '${schema}.${table}'::regclass and attnum = 1`,
  );
  const { key } = rows[0] as { key: string };
  return compared(connection, table, key, `${schema}.${table}`, `pg_temp.${table}`);
}

interface ComparedRow extends Pick<DifferingRow, 'live' | 'rebuilt'> {
  readonly total: string;
  readonly key: unknown;
}

async function compared(
  connection: PostgresConnection,
  table: string,
  key: string,
  live: string,
  built: string,
): Promise<Found> {
  const row = (side: string): string => `to_jsonb(${side}) - array['${UNTOLD.join("','")}']`;
  const { rows } = await connection.query(
    `select count(*) over () as total, key, live, rebuilt from (
       select coalesce(l.${key}, b.${key}) as key, ${row('l')} as live, ${row('b')} as rebuilt
       from ${live} l full join ${built} b on l.${key} = b.${key}) both_sides
     where live is distinct from rebuilt order by key limit ${MOST}`,
  );
  const found = rows as ComparedRow[];
  return {
    rows: Number(found[0]?.total ?? 0),
    first: found.map((one) => ({ table, key: { [key]: one.key }, live: one.live, rebuilt: one.rebuilt })),
  };
}

async function faultsOf(connection: PostgresConnection, table: string, query: string): Promise<Found> {
  const { rows } = await connection.query(query);
  const found = rows as { readonly total: string; readonly task_id: string; readonly says: string }[];
  const first = found.map(({ task_id, says }) => ({ table, key: { task_id }, live: { says }, rebuilt: {} }));
  return { rows: Number(found[0]?.total ?? 0), first };
}

const summed = (found: readonly Found[]): Found => ({
  rows: found.reduce((sum, { rows }) => sum + rows, 0),
  first: found.flatMap(({ first }) => first).slice(0, MOST),
});
