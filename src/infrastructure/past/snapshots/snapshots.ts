import type { StandingTasks, StateCounts } from '../../../projections/kernel/states-then.port.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import { readSql, statement } from '../../database/sql.js';
import { BEGINNING, type Base, type TaskSet } from './snapshot.js';

const BEFORE = statement<{ position: string }>(
  'waybill_snapshot_before',
  `select position, counted_at as "countedAt", bytes from snapshots where position <= :position and counted_at <= :position
   order by position desc limit 1`,
);

const COUNTS = statement<{ position: string; queue: string }>(
  'waybill_snapshot_counts',
  'select counts->:queue as counts from snapshots where position = :position',
);

const EVERY_COUNT = statement<{ position: string }>(
  'waybill_snapshot_counts_of_all',
  'select counts from snapshots where position = :position',
);

const SETS = statement<{ position: string; queue: string | null; state: string | null }>(
  'waybill_snapshot_tasks',
  readSql(import.meta.url, 'snapshot-tasks'),
);

export type BaseRow = { readonly [C in keyof Base]: string };

interface SetRow extends Omit<TaskSet, 'ids'> {
  /** 16 bytes each. */
  readonly ids: Buffer;
}

/** Reads snapshots. */
export class Snapshots {
  constructor(private readonly pool: PostgresPool) {}

  /** The last one at or before a position; the beginning of the log if there is none. */
  async before(position: bigint): Promise<Base> {
    const { rows } = await this.pool.query<BaseRow>(BEFORE.with({ position: String(position) }));
    return rows[0] ? baseOf(rows[0]) : BEGINNING;
  }

  /** The tasks of the queue in each state. */
  async countsOf({ position }: Base, queue: string): Promise<StateCounts> {
    const { rows } = await this.pool.query<{ counts: StateCounts | null }>(
      COUNTS.with({ position: String(position), queue }),
    );
    return rows[0]?.counts ?? {};
  }

  /** The same of every queue. */
  async everyCountOf({ position }: Base): Promise<ReadonlyMap<string, StateCounts>> {
    const { rows } = await this.pool.query<{ counts: Record<string, StateCounts> }>(
      EVERY_COUNT.with({ position: String(position) }),
    );
    return new Map(Object.entries(rows[0]?.counts ?? {}));
  }

  /** The tasks that were in a state, in no order. */
  async setsOf({ position }: Base, { queue, state }: Partial<StandingTasks> = {}): Promise<readonly TaskSet[]> {
    const { rows } = await this.pool.query<SetRow>(
      SETS.with({ position: String(position), queue: queue ?? null, state: state ?? null }),
    );
    return rows.map(({ ids, ...set }) => ({ ...set, ids: idsIn(ids) }));
  }
}

export const baseOf = ({ position, countedAt, bytes }: BaseRow): Base => ({
  position: BigInt(position),
  countedAt: BigInt(countedAt),
  bytes: Number(bytes),
});

const ID_DIGITS = 32;

function idsIn(bytes: Buffer): readonly string[] {
  const digits = bytes.toString('hex');
  return Array.from({ length: digits.length / ID_DIGITS }, (_, at) => idOf(digits, at * ID_DIGITS));
}

const idOf = (digits: string, at: number): string =>
  [
    digits.slice(at, at + 8),
    digits.slice(at + 8, at + 12),
    digits.slice(at + 12, at + 16),
    digits.slice(at + 16, at + 20),
    digits.slice(at + 20, at + ID_DIGITS),
  ].join('-');
