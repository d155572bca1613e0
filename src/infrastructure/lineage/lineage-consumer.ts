import { Mutex } from '../../application/kernel/mutex.js';
import { type LogSegment, sizeOf } from '../../application/kernel/log-segment.js';
import { LINEAGE_KINDS } from '../../projections/lineage/lineage-kinds.js';
import { LINEAGE_FOLLOWER } from '../../projections/read-models.js';
import type { PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import { inTransaction } from '../database/transaction.js';
import { type Checkpoint, moveCheckpoint, NewerVersion, openCheckpoint } from '../projection-engine/checkpoint.js';
import type { Consumer } from '../projection-engine/consumer.js';
import { restAfter } from '../projection-engine/rest-after.js';
import type { Causes, Link } from './causes.js';
import type { Overlap, Overlaps } from './overlaps.js';

/** How long the checkpoint may stand behind while nothing is written. */
const LATEST_MS = 1_000;

const LINKS = `insert into lineage (cause, effect, kind, position)
  select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::bigint[]) on conflict do nothing`;

const OVERLAPS = `insert into attempt_overlaps (position, queue, task, attempt, worker, next_attempt, next_worker, lost_at, begun_at, ended_at)
  select * from jsonb_to_recordset($1::jsonb) as o (position bigint, queue text, task uuid, attempt int, worker text,
    "nextAttempt" int, "nextWorker" text, "lostAt" timestamptz, "begunAt" timestamptz, "endedAt" timestamptz) on conflict do nothing`;

/**
 * Writes what led to what, and which attempts overlapped. Most events name nothing, so most rounds write nothing: their checkpoint
 * moves with the next rows, or once a second for all of them. After a crash, some of the log is read again.
 */
export class LineageConsumer implements Consumer {
  readonly name = LINEAGE_FOLLOWER;
  readonly version = 1;
  readonly restAfter = restAfter;
  private readonly turns = new Mutex();
  /** The stored checkpoint, and how many events behind it stands. */
  private stored: Checkpoint | null = null;
  private reached = 0n;
  private passed = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly pool: PostgresPool,
    private readonly causes: Pick<Causes, 'linksOf'>,
    private readonly overlaps: Pick<Overlaps, 'foundIn'>,
  ) {}

  async consume(segments: readonly LogSegment[], from: Checkpoint): Promise<Checkpoint> {
    const links = await this.causes.linksOf(segments);
    const overlaps = await this.overlaps.foundIn(segments);
    return this.turns.run(async () => {
      this.stored ??= from;
      this.reached = segments.at(-1)!.position;
      this.passed += sizeOf(segments);
      if (links.length + overlaps.length > 0) await this.store(links, overlaps);
      else this.timer ??= setTimeout(() => void this.catchUp().catch(() => undefined), LATEST_MS).unref();
      return { ...from, position: this.reached };
    });
  }

  async upgrade(): Promise<void> {
    this.forget();
    const { version } = await openCheckpoint(this.pool, this.name, this.version);
    if (version > this.version)
      throw new NewerVersion(
        `Expected '${this.name}' version ${this.version} to follow, but version ${version} took over`,
      );
  }

  async ended(): Promise<void> {
    await this.catchUp().catch(() => undefined);
    this.forget();
  }

  private forget(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = this.stored = null;
    this.passed = 0;
  }

  /** Moves the stored checkpoint past events that named nothing. */
  private catchUp(): Promise<void> {
    return this.turns.run(async () => {
      this.timer = null;
      if (this.passed > 0) await this.store([], []);
    });
  }

  private async store(links: readonly Link[], overlaps: readonly Overlap[]): Promise<void> {
    const { stored, reached, passed } = this;
    this.stored = await inTransaction(this.pool, async (connection) => {
      const moved = await moveCheckpoint(connection, stored!, reached, passed);
      await write(connection, links, overlaps);
      return moved;
    });
    this.passed = 0;
  }
}

async function write(
  connection: PostgresConnection,
  links: readonly Link[],
  overlaps: readonly Overlap[],
): Promise<void> {
  if (links.length > 0) {
    const kinds = links.map(({ kind }) => LINEAGE_KINDS.indexOf(kind));
    const positions = links.map(({ position }) => String(position));
    const [causes, effects] = [links.map(({ cause }) => cause), links.map(({ effect }) => effect)];
    await connection.query(LINKS, [causes, effects, kinds, positions]);
  }
  if (overlaps.length > 0) await connection.query(OVERLAPS, [JSON.stringify(overlaps)]);
}
