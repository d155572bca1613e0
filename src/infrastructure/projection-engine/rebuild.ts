import type { EventStore, RecordedEvent } from '../../application/kernel/event-store.port.js';
import type { Projection } from '../../projections/kernel/projection.js';
import type { PostgresConnection, PostgresPool } from '../persistence/postgres-pool.js';
import type { AdvisoryLocks } from './advisory-locks.js';
import { storedName, writeChanges } from './change-writer.js';
import { lockCheckpoint, openCheckpoint, type Checkpoint } from './checkpoint.js';
import { inOneTurn, inTransaction } from './transaction.js';

export interface RebuildOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RebuildProgress) => void;
}

export interface RebuildProgress {
  readonly position: bigint;
  readonly head: bigint;
}

/** Small enough to die young: with 5,000 garbage collection cost more than the transactions that they saved. */
const BATCH = 1_000;
/** Readers queue up behind the switch for so long at most. */
const LOCK_WAIT_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Builds a projection's tables anew beside those in use, and switches in one transaction. Readers and the follower go on
 * meanwhile; the new rows are never older than those they replace.
 */
export class Rebuild {
  constructor(
    private readonly store: EventStore,
    private readonly pool: PostgresPool,
    private readonly locks: AdvisoryLocks,
  ) {}

  /** Throws, and leaves the tables in use alone, where another rebuild of it runs, `signal` aborts, or an event is poison. */
  async run(projection: Projection<never>, options: RebuildOptions = {}): Promise<void> {
    const lock = await this.locks.tryAcquire(`rebuild ${projection.name}`);
    if (!lock) throw new Error(`Expected to rebuild '${projection.name}', but another rebuild of it is running`);
    try {
      let shadow = await inTransaction(this.pool, (connection) => makeShadow(connection, projection));
      do shadow = await this.build(projection, shadow, options);
      while (!(await this.switchOver(projection, shadow)));
    } finally {
      await lock.release();
    }
  }

  /** To within one batch of the head, so that the rest is quickly done while the follower waits. */
  private async build(projection: Projection<never>, from: Checkpoint, options: RebuildOptions): Promise<Checkpoint> {
    let checkpoint = from;
    let head = await this.store.head();
    for await (const events of this.batchesAfter(from.position)) {
      options.signal?.throwIfAborted();
      checkpoint = await inOneTurn(this.pool, (connection) => writeChanges(connection, projection, events, checkpoint));
      if (checkpoint.position > head) head = await this.store.head();
      options.onProgress?.({ position: checkpoint.position, head });
    }
    return checkpoint;
  }

  /** Up to the first that is not full; the next one is read while one is written. */
  private async *batchesAfter(position: bigint): AsyncGenerator<readonly RecordedEvent[]> {
    let next = this.store.readAll(position, BATCH);
    for (let full = true; full;) {
      const events = await next;
      full = events.length === BATCH;
      if (full) next = this.store.readAll(events.at(-1)!.position, BATCH);
      // Awaited after the writing, and not at all where that failed.
      next.catch(() => undefined);
      if (events.length > 0) yield events;
    }
  }

  /** False, with nothing done, where somebody reads the tables for too long to wait for. */
  private async switchOver(projection: Projection<never>, shadow: Checkpoint): Promise<boolean> {
    try {
      await inTransaction(this.pool, (connection) => this.replace(connection, projection, shadow));
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
      throw error;
    }
  }

  /** The live checkpoint's lock keeps its follower from moving on, so that the new rows pass the old. */
  private async replace(
    connection: PostgresConnection,
    projection: Projection<never>,
    from: Checkpoint,
  ): Promise<void> {
    await connection.query(`set local lock_timeout = '${LOCK_WAIT_MS}ms'`);
    const live = await lockCheckpoint(connection, projection.name);
    let shadow = from;
    while (shadow.position < live.position) {
      const events = await this.store.readAll(shadow.position, BATCH);
      shadow = await writeChanges(connection, projection, events, shadow);
    }
    for (const { name } of projection.tables) await replaceTable(connection, name);
    await replaceCheckpoint(connection, projection.name);
  }
}

async function makeShadow(
  connection: PostgresConnection,
  { name, version, tables }: Projection<never>,
): Promise<Checkpoint> {
  await openCheckpoint(connection, name, version);
  for (const table of tables) {
    const shadow = storedName(table.name, 'shadow');
    await connection.query(`drop table if exists ${shadow}`);
    await connection.query(`create table ${shadow} (like ${table.name} including all)`);
  }
  await connection.query(
    `insert into projection_checkpoints (name, slot, version, position, status) values ($1, 'shadow', $2, 0, 'running')
     on conflict (name, slot) do update set version = excluded.version, position = 0, status = 'running', error = null`,
    [name, version],
  );
  return { name, slot: 'shadow', version, position: 0n };
}

async function replaceTable(connection: PostgresConnection, table: string): Promise<void> {
  await connection.query(`drop table ${table}`);
  await connection.query(`alter table ${storedName(table, 'shadow')} rename to ${table}`);
}

async function replaceCheckpoint(connection: PostgresConnection, name: string): Promise<void> {
  await connection.query(`delete from projection_checkpoints where name = $1 and slot = 'live'`, [name]);
  await connection.query(
    `update projection_checkpoints set slot = 'live', updated_at = now() where name = $1 and slot = 'shadow'`,
    [name],
  );
}
