import { Logger } from '@nestjs/common';
import type { RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { BUILT_ANEW, INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { PostgresConnection, PostgresPool } from '../../database/postgres-pool.js';
import { inTransaction } from '../../database/transaction.js';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import { countGap, type Lacked, oweTo } from './gap-counts.js';

/** A part of the log that was read again. */
export interface ReadAgain {
  readonly after: bigint;
  /** How many events had been read up to there. */
  readonly events: number;
  readonly positions: readonly bigint[];
  readonly upTo: bigint;
}

/** A follower that had passed so many events at a position. */
interface Count {
  readonly follower: string;
  readonly position: bigint;
  readonly events: number;
  /** How many more these were than had been read again, at an earlier position; null at first. */
  readonly lead: number | null;
  readonly compared: bigint | null;
}

const EVENTS = 1_000;

/** DANGER: without the lock, a rebuild that ends now would leave the count of the rows before it. */
const NOTE = `
  insert into follower_counts (follower, position, events)
  select c.name, c.position, c.events from projection_checkpoints c left join follower_counts f on f.follower = c.name
  where c.slot = 'live' and c.name <> $1 and c.version > 0 and c.position >= greatest($2, f.begins)
    and f.position is null and c.position > coalesce(f.compared, -1)
  for key share of c
  on conflict (follower) do update set position = excluded.position, events = excluded.events`;

/** Not of models that are to be built anew. */
const NOTED = `
  select f.follower, f.position, f.events, f.lead, f.compared
  from follower_counts f join projection_checkpoints c on c.name = f.follower and c.slot = 'live' and c.version > 0
  where f.position <= $1`;

/** Nothing if the follower's rows are others since. */
const COMPARED = `
  update follower_counts set lead = $4, compared = coalesce($5, compared), position = null, events = null
  where follower = $1 and position = $2 and events = $3 returning follower`;

const LOCK = 'select waybill_lock_follower($1) as locked';

/**
 * Finds what only the subscription of another process did not deliver. Each follower counts the events that it has passed. Of two
 * counts, the later one is larger by as many events as the log has between their positions.
 */
export class FollowerCounts {
  private readonly logger = new Logger('EventStoreDB');

  constructor(
    private readonly pool: PostgresPool,
    private readonly log: Pick<EventStoreDbLog, 'readAllAnew'>,
  ) {}

  /** Notes where each follower is that has come this far, unless what was noted before is still to be compared. */
  async note(after: bigint): Promise<void> {
    await this.pool.query(NOTE, [INDEX_FOLLOWER, after]);
  }

  /** Compares what was noted in a part of the log. */
  async compare(read: ReadAgain): Promise<void> {
    const { rows } = await this.pool.query<Record<keyof Count, string | null>>(NOTED, [read.upTo]);
    for (const count of rows.map(countOf)) await this.compareOne(count, read);
  }

  private async compareOne(count: Count, { after, events, positions }: ReadAgain): Promise<void> {
    if (count.position < after) return void (await keep(this.pool, count, count.lead, null));
    const lead = count.events - events - positions.filter((position) => position <= count.position).length;
    if (count.lead === null || lead === count.lead) return void (await keep(this.pool, count, lead, count.position));
    await this.mend(count, lead);
  }

  /** Read models are built anew. Who gives commands looks at the events again. */
  private async mend(count: Count, lead: number): Promise<void> {
    const { follower, position } = count;
    const kind = lead < count.lead! ? 'skipped' : 'doubled';
    const gap = { kind, from: count.compared!, to: position } as const;
    const isModel = BUILT_ANEW.includes(follower);
    const owed = isModel || kind === 'doubled' ? [] : await this.between(count.compared!, position);
    const isMended = await inTransaction(this.pool, async (connection) => {
      const [{ locked }] = (await connection.query(LOCK, [follower])).rows as [{ readonly locked: boolean }];
      if (!locked || !(await keep(connection, count, lead, position))) return false;
      if (owed.length > 0) await oweTo(connection, owed, [follower]);
      await countGap(connection, gap, isModel ? [follower] : []);
      return true;
    });
    if (isMended) this.tell(count, Math.abs(lead - count.lead!), kind);
  }

  private tell({ follower, position, compared }: Count, events: number, kind: 'skipped' | 'doubled'): void {
    const what = kind === 'skipped' ? 'did not come' : 'came again';
    const then = BUILT_ANEW.includes(follower) ? 'it is built anew' : 'it looks at all of them again';
    this.logger.warn(
      `Expected '${follower}' to get each event between ${compared} and ${position} once, but ${events} ${what}; ${then}`,
    );
  }

  private async between(after: bigint, upTo: bigint): Promise<readonly Lacked[]> {
    const found: RecordedEvent[] = [];
    for (let [from, more] = [after, true]; more;) {
      const page = await this.log.readAllAnew(from, EVENTS);
      found.push(...page.filter(({ position }) => position <= upTo));
      from = page.at(-1)?.position ?? upTo;
      more = from < upTo;
    }
    return found.map(({ stream, position }) => ({ stream, position }));
  }
}

async function keep(
  db: Pick<PostgresPool | PostgresConnection, 'query'>,
  { follower, position, events }: Count,
  lead: number | null,
  compared: bigint | null,
): Promise<boolean> {
  const { rows } = await db.query(COMPARED, [follower, position, events, lead, compared]);
  return rows.length > 0;
}

const countOf = (row: Record<keyof Count, string | null>): Count => ({
  follower: row.follower!,
  position: BigInt(row.position!),
  events: Number(row.events),
  lead: row.lead === null ? null : Number(row.lead),
  compared: row.compared === null ? null : BigInt(row.compared),
});
