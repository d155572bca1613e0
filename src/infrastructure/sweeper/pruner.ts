import { MINUTES_KEPT_DAYS } from '../../projections/queue-history/bucket.js';
import type { PostgresPool } from '../database/postgres-pool.js';

/** A kind of rows that are of no use after a while. */
export interface Kind {
  readonly table: string;
  readonly key: string;
  readonly at: string;
  readonly life: string;
  /** The most rows that are kept, whatever their age. */
  readonly most?: number;
  /** Only such rows are deleted. */
  readonly where?: string;
}

/** At 5,000 claims a second, a day would keep 432 million of them, and a repetition follows within seconds. */
const MOST_CLAIMS = 1_000_000;
/**
 * The name of a worker usually contains its host and its process id, so every restart adds one: a process that restarts
 * each second would leave 600,000 in a week.
 */
export const MOST_WORKERS = 100_000;

/** Ten operations of the size that a preview decides. Each has 16 KiB at most (`MOST_BYTES`), so these have 1.6 GB. */
const MOST_ENDED = 100_000;

/** About a gigabyte of short lines. */
const MOST_LINES = 5_000_000;

/** Whoever orders deliveries chooses the hosts. */
const MOST_TARGETS = 100_000;
/**
 * How long a repeated request is recognised, a worker is remembered that stopped asking or has reported nothing, figures
 * are kept by the minute, and of groups of failures by the hour and by worker, a target of deliveries is remembered, how another store's log
 * ended at a time, and what was recorded of a task that was aborted, cancelled or deleted is at hand.
 */
const KINDS: readonly Kind[] = [
  { table: 'idempotency_keys', key: 'key, item', at: 'created_at', life: '24 hours' },
  { table: 'claims', key: 'claim_id', at: 'created_at', life: '24 hours', most: MOST_CLAIMS },
  { table: 'worker_presence', key: 'worker, queue', at: 'seen_at', life: '24 hours', most: MOST_WORKERS },
  { table: 'worker_steps', key: 'queue, worker, step', at: 'seen_at', life: '24 hours', most: MOST_WORKERS },
  { table: 'unknown_kinds', key: 'queue, kind, worker', at: 'seen_at', life: '24 hours', most: MOST_WORKERS },
  {
    table: 'worker_roster',
    key: 'worker, queue',
    at: 'last_seen',
    life: '7 days',
    most: MOST_WORKERS,
    where: 'running <= 0',
  },
  { table: 'queue_minutes', key: 'queue, at', at: 'at', life: `${MINUTES_KEPT_DAYS + 1} days` },
  { table: 'failure_group_hours', key: 'group_id, queue, at', at: 'at', life: '90 days' },
  { table: 'failure_group_workers', key: 'group_id, queue, worker', at: 'last_at', life: '90 days' },
  { table: 'worker_builds', key: 'queue, worker, build', at: 'last_at', life: '90 days', most: MOST_WORKERS },
  { table: 'log_marks', key: 'categories, position', at: 'noted_at', life: '7 days', where: 'not hourly' },
  { table: 'log_marks', key: 'categories, position', at: 'noted_at', life: '10 years' },
  { table: 'ended_histories', key: 'task_id', at: 'kept_at', life: '1 day', most: MOST_ENDED },
  { table: 'task_log', key: 'task_id, attempt, number', at: 'kept_at', life: '14 days', most: MOST_LINES },
  { table: 'delivery_targets', key: 'target', at: 'seen_at', life: '1 day', most: MOST_TARGETS },
];

/** Counting a million rows takes a tenth of a second. */
const COUNT_MS = 60_000;

/** The most rows that one statement deletes, to keep its locks few and its transaction short. */
export const OLD_ROWS_BATCH = 1_000;

/**
 * Deletes rows that have served their time: those that recognise repeated requests, and those of workers that are gone.
 */
export class Pruner {
  /** The newest of the rows that are too many, and until when that is used. */
  private readonly surplus = new Map<Kind, { readonly upTo: string | null; readonly until: number }>();

  constructor(
    private readonly pool: PostgresPool,
    private readonly kinds: readonly Kind[] = KINDS,
  ) {}

  /** Deletes a batch of each kind. True if there may be more. */
  async deleteSome(): Promise<boolean> {
    let more = false;
    for (const kind of this.kinds) {
      const { rowCount } = await this.pool.query(deletionOf(kind), [await this.surplusOf(kind)]);
      more ||= rowCount === OLD_ROWS_BATCH;
    }
    return more;
  }

  private async surplusOf(kind: Kind): Promise<string | null> {
    const { table, at, most } = kind;
    if (most === undefined) return null;
    const known = this.surplus.get(kind);
    if (known && known.until > performance.now()) return known.upTo;
    const { rows } = await this.pool.query<{ at: string }>(
      `select ${at}::text as at from ${table} order by ${at} desc offset $1 limit 1`,
      [most],
    );
    const upTo = rows[0]?.at ?? null;
    this.surplus.set(kind, { upTo, until: performance.now() + COUNT_MS });
    return upTo;
  }
}

const deletionOf = ({ table, key, at, life, where = 'true' }: Kind): string =>
  `delete from ${table} where (${key}) in (select ${key} from ${table}
     where (${at} < now() - interval '${life}' or ${at} <= $1::timestamptz) and ${where} order by ${at} limit ${OLD_ROWS_BATCH})`;
