import pg from 'pg';
import type { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';

/** What work costs Postgres, counted and not timed, so that it is the same on every machine. */
export interface Cost {
  /** With those inside of functions. */
  readonly statements: number;
  /** How often a statement was planned. */
  readonly plans: number;
  readonly commits: number;
  /** Looks at pages of tables and indexes. */
  readonly blocks: number;
  readonly walRecords: number;
}

const SETTINGS = [
  `set pg_stat_statements.track = 'all'`,
  'set pg_stat_statements.track_planning = on',
  'set plan_cache_mode = auto',
];

const COUNTS = `
  select coalesce(sum(calls), 0)::int as statements, coalesce(sum(plans), 0)::int as plans,
    (select xact_commit from pg_stat_database where datname = $1)::int as commits,
    coalesce(sum(shared_blks_hit + shared_blks_read) filter (where toplevel), 0)::int as blocks,
    coalesce(sum(wal_records) filter (where toplevel), 0)::int as "walRecords"
  from pg_stat_statements s join pg_database d on d.oid = s.dbid and d.datname = $1`;

/** A connection tells its commits when it is told to. */
const FLUSH = 'select pg_stat_force_next_flush()';

/** Counts what the one connection of a pool does. The server must have loaded `pg_stat_statements`. */
export class CostMeter {
  private nothing: Cost | null = null;

  private constructor(
    private readonly pool: PostgresPool,
    private readonly database: string,
    private readonly admin: pg.Client,
  ) {}

  static async of(pool: PostgresPool): Promise<CostMeter> {
    const { rows } = await pool.query<{ readonly name: string }>('select current_database() as name');
    const admin = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await admin.connect();
    await admin.query('create extension if not exists pg_stat_statements');
    for (const setting of SETTINGS) await pool.query(setting);
    return new CostMeter(pool, rows[0]!.name, admin);
  }

  async costOf(work: () => Promise<unknown>): Promise<Cost> {
    this.nothing ??= await this.counted(async () => undefined);
    return difference(await this.counted(work), this.nothing);
  }

  /** With the cost of counting. */
  private async counted(work: () => Promise<unknown>): Promise<Cost> {
    await this.pool.query(FLUSH);
    const before = await this.read();
    await work();
    await this.pool.query(FLUSH);
    return difference(await this.read(), before);
  }

  private async read(): Promise<Cost> {
    const { rows } = await this.admin.query<Cost>(COUNTS, [this.database]);
    return rows[0]!;
  }

  close(): Promise<void> {
    return this.admin.end();
  }
}

const difference = (after: Cost, before: Cost): Cost => ({
  statements: after.statements - before.statements,
  plans: after.plans - before.plans,
  commits: after.commits - before.commits,
  blocks: after.blocks - before.blocks,
  walRecords: after.walRecords - before.walRecords,
});
