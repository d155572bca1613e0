import type { EventStore } from '../../application/kernel/event-store.port.js';
import type { RebuildDiff, RebuildProgress } from '../../application/rebuilds/model-rebuilds.port.js';
import type { LeaderTerm } from '../../application/kernel/leader-term.js';
import { type LogSegment, mayLackBytes, sizeOf } from '../../application/kernel/log-segment.js';
import { needsPrivate } from '../../projections/kernel/projection.js';
import type { PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import type { Leaders, Leadership } from '../leadership/leaders.js';
import { prepareChanges, type Rows, storedName } from './change-writer.js';
import type { Model } from './model.js';
import { differences } from './rebuild-diff.js';
import { READ_VIEWS } from '../database/read-views.js';
import { dropSlot, moveSlot, OLD, rowsBefore, swapSlots } from './slots.js';
import { lockCheckpoint, moveCheckpoint, NewerVersion, openCheckpoint } from './checkpoint.js';
import { inOneTurn, inTransaction } from '../database/transaction.js';

export interface RebuildOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RebuildProgress) => void;
}

export interface ReplaceOptions extends RebuildOptions {
  /** Runs in the transaction that replaces the rows. If it throws, nothing is replaced. */
  readonly within?: (connection: PostgresConnection) => Promise<void>;
}

/** Another rebuild of the same model is under way. */
export class RebuildRunning extends Error {
  override readonly name = 'RebuildRunning';
}

/**
 * Small enough that the objects of a batch die young: with 5,000, garbage collection cost more than the saved
 * transactions.
 */
const BATCH = 1_000;
/** The longest that readers queue up behind the switch. */
const LOCK_WAIT_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Rebuilds the tables of models beside those in use, all in one pass of the log, and switches in one transaction.
 * Readers and followers keep working meanwhile. The new rows are never older than those that they replace.
 */
export class Rebuild {
  constructor(
    private readonly store: EventStore,
    private readonly pool: PostgresPool,
    private readonly leaders: Leaders,
  ) {}

  /**
   * Throws, and leaves the tables in use unchanged, if one of them is already being rebuilt, `signal` aborts, or an
   * event is poison.
   */
  async run(projections: readonly Model[], options: RebuildOptions = {}): Promise<void> {
    const held: Leadership[] = [];
    try {
      for (const { name } of projections) held.push(await this.lock(name));
      const terms = held.map(({ term }) => term);
      let shadows = await inTransaction(this.pool, (connection) => makeShadows(connection, projections, terms));
      do shadows = await this.build(shadows, options);
      while (!(await this.switchOver(shadows)));
    } finally {
      for (const lock of held) await lock.release();
    }
  }

  private async lock(name: string): Promise<Leadership> {
    const leadership = await this.leaders.tryToLead(`rebuild ${name}`);
    if (!leadership) throw new RebuildRunning(`Expected to rebuild '${name}', but another rebuild of it is running`);
    return leadership;
  }

  /**
   * Builds the rows of a model anew, and compares them with those in use, at the position of these. Nothing changes, and
   * what was built is dropped. The follower waits for the comparison. Throws like `run`.
   */
  async diff(projection: Model, options: RebuildOptions = {}): Promise<RebuildDiff> {
    return this.alone(projection, async (term) => {
      let [shadow] = await inTransaction(this.pool, (connection) => makeShadows(connection, [projection], [term]));
      for (let live = await this.liveAt(projection); live - shadow!.checkpoint.position > 0n;) {
        shadow = await this.buildUpTo(shadow!, live, options);
        const now = await this.liveAt(projection);
        if (now - live < BATCH) break;
        live = now;
      }
      return inTransaction(this.pool, (connection) => this.compare(connection, shadow!));
    });
  }

  /** As `run` for one model, but keeps the rows that were in use for a day, so that `back` can take them again. */
  async switch(projection: Model, options: ReplaceOptions = {}): Promise<void> {
    await this.alone(projection, async (term) => {
      let shadows = await inTransaction(this.pool, (connection) => makeShadows(connection, [projection], [term]));
      do shadows = await this.build(shadows, options);
      while (!(await this.switchOver(shadows, options)));
    });
  }

  /**
   * Takes the rows again that were in use before the last switch, once they have caught up. Those in use take their place, so
   * it can be undone. Throws `NothingBefore` if there are none, or another version made them.
   */
  async back(projection: Model, options: ReplaceOptions = {}): Promise<void> {
    await this.alone(projection, async (term) => {
      let rows: readonly Rows[] = [await rowsBefore(this.pool, projection, term)];
      do rows = await this.build(rows, options);
      while (!(await this.switchOver(rows, options)));
    });
  }

  /** Drops the rows from before a switch that nobody has taken back for a day. */
  async dropOld(models: readonly Pick<Model, 'name' | 'tables'>[]): Promise<void> {
    for (const { name, tables } of models)
      await inTransaction(this.pool, async (connection) => {
        const { rows } = await connection.query(OLD, [name]);
        if (rows.length > 0) await dropSlot(connection, { name, tables }, 'before');
      });
  }

  /** Throws `NewerVersion` if a newer version of the service has made the rows in use. */
  private async alone<T>(projection: Model, work: (term: LeaderTerm) => Promise<T>): Promise<T> {
    const lock = await this.lock(projection.name);
    try {
      await this.assertOwn(projection);
      return await work(lock.term);
    } finally {
      await lock.release();
    }
  }

  private async assertOwn({ name, version }: Model): Promise<void> {
    const { version: live } = await openCheckpoint(this.pool, name, version);
    if (live > version)
      throw new NewerVersion(`Expected to rebuild version ${version} of '${name}', but version ${live} is in use`);
  }

  private async liveAt({ name, version }: Model): Promise<bigint> {
    return (await openCheckpoint(this.pool, name, version)).position;
  }

  private async buildUpTo(from: Rows, end: bigint, options: RebuildOptions): Promise<Rows> {
    let rows = from;
    while (rows.checkpoint.position < end) {
      options.signal?.throwIfAborted();
      const segments = await this.segmentsUpTo(rows, end);
      if (segments.length === 0) return rows;
      [rows] = (await inOneTurn(this.pool, await prepareChanges([rows], segments))) as [Rows];
      options.onProgress?.({ position: rows.checkpoint.position, head: end });
    }
    return rows;
  }

  /** What follows the rows in the log, but nothing after a position. */
  private async segmentsUpTo(rows: Rows, end: bigint): Promise<readonly LogSegment[]> {
    const segments = await this.store.readSegments(rows.checkpoint.position, BATCH, needPrivate([rows]));
    return segments.flatMap((segment) => {
      if (segment.position <= end) return [segment];
      const within = segment.countUpTo(end);
      return within > 0 ? [segment.slice(0, within)] : [];
    });
  }

  /** The lock on the live checkpoint stops the follower, so that both sides are at its position. */
  private async compare(connection: PostgresConnection, from: Rows): Promise<RebuildDiff> {
    const { position } = await lockCheckpoint(connection, from.projection.name);
    let rows = from;
    for (let segments = await this.segmentsUpTo(rows, position); segments.length > 0;) {
      const write = await prepareChanges([rows], segments);
      [rows] = (await write(connection)) as [Rows];
      segments = await this.segmentsUpTo(rows, position);
    }
    const found = await differences(connection, from.projection);
    await dropSlot(connection, from.projection, 'shadow');
    return { position, ...found };
  }

  /** Builds to within one batch of the head, so that the rest is done quickly while the followers wait. */
  private async build(from: readonly Rows[], options: RebuildOptions): Promise<readonly Rows[]> {
    options.signal?.throwIfAborted();
    let shadows = from;
    let head = await this.store.head();
    for await (const segments of this.batchesAfter(positionOf(shadows), needPrivate(shadows))) {
      options.signal?.throwIfAborted();
      shadows = await inOneTurn(this.pool, await prepareChanges(shadows, segments));
      const position = positionOf(shadows);
      if (position > head) head = await this.store.head();
      options.onProgress?.({ position, head });
    }
    return shadows;
  }

  /** Ends after the first batch that is not full. Reads the next batch while the current one is written. */
  private async *batchesAfter(position: bigint, whole: boolean): AsyncGenerator<readonly LogSegment[]> {
    let next = this.store.readSegments(position, BATCH, whole);
    for (let full = true; full;) {
      const segments = await next;
      full = sizeOf(segments) >= BATCH || mayLackBytes(segments);
      if (full) next = this.store.readSegments(segments.at(-1)!.position, BATCH, whole);
      // Its errors are handled when it is awaited after the write, which does not happen if the write fails.
      next.catch(() => undefined);
      if (segments.length > 0) yield segments;
    }
  }

  /** Returns false, and changes nothing, if a reader holds the tables for too long. `keeping`: what was in use is kept, too. */
  private async switchOver(shadows: readonly Rows[], keeping?: ReplaceOptions): Promise<boolean> {
    try {
      await inTransaction(this.pool, async (connection) => {
        await this.replace(connection, shadows, keeping !== undefined);
        await keeping?.within?.(connection);
      });
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
      throw error;
    }
  }

  /** The locks on the live checkpoints stop the followers, so that the new rows can overtake the old ones. */
  private async replace(connection: PostgresConnection, from: readonly Rows[], keepsLive: boolean): Promise<void> {
    await connection.query(`set local lock_timeout = '${LOCK_WAIT_MS}ms'`);
    const live = await lockAll(connection, from);
    // Another process may rebuild since, and the shadows may be its own.
    for (const { checkpoint } of from) await moveCheckpoint(connection, checkpoint, checkpoint.position, 0);
    let shadows = from;
    while (positionOf(shadows) < live) {
      const segments = await this.store.readSegments(positionOf(shadows), BATCH, needPrivate(shadows));
      const write = await prepareChanges(shadows, segments);
      shadows = await write(connection);
    }
    for (const { projection, checkpoint } of shadows) {
      if (keepsLive) await swapSlots(connection, projection, checkpoint.slot);
      else await takeShadow(connection, projection);
      await connection.query(COUNT_ANEW, [projection.name]);
      await connection.query(FORGET_KEPT, [projection.name]);
    }
  }
}

/** The rebuilt rows lack no event up to this position, because the events were read from the log, not taken from a subscription. */
const COUNT_ANEW = `
  insert into follower_counts (follower, position, events)
  select name, position, events from projection_checkpoints where name = $1 and slot = 'live'
  on conflict (follower) do update
    set position = excluded.position, events = excluded.events, lead = null, compared = null, begins = 0`;

/** Rows as of a moment are made again, as those in use were. */
const FORGET_KEPT = 'delete from model_snapshots where model = $1';

/** The position of all: they began together and take the same batches. */
const positionOf = ([first]: readonly Rows[]): bigint => first!.checkpoint.position;

/** Whether one of them reads private halves. */
const needPrivate = (shadows: readonly Rows[]): boolean => shadows.some(({ projection }) => needsPrivate(projection));

/** Locks the live checkpoints and returns the furthest position among them. */
async function lockAll(connection: PostgresConnection, shadows: readonly Rows[]): Promise<bigint> {
  let furthest = 0n;
  for (const { projection } of shadows) {
    const { position } = await lockCheckpoint(connection, projection.name);
    if (position > furthest) furthest = position;
  }
  return furthest;
}

async function makeShadows(
  connection: PostgresConnection,
  projections: readonly Model[],
  terms: readonly LeaderTerm[],
): Promise<readonly Rows[]> {
  const shadows: Rows[] = [];
  for (const [at, projection] of projections.entries())
    shadows.push(await makeShadow(connection, projection, terms[at]!));
  return shadows;
}

async function makeShadow(connection: PostgresConnection, projection: Model, term: LeaderTerm): Promise<Rows> {
  const { name, version, tables } = projection;
  await openCheckpoint(connection, name, version);
  for (const table of tables) {
    const shadow = storedName(table.name, 'shadow');
    await connection.query(`drop table if exists ${shadow}`);
    await connection.query(`create table ${shadow} (like ${table.name} including all)`);
  }
  await connection.query(
    `insert into projection_checkpoints (name, slot, version, position, status) values ($1, 'shadow', $2, 0, 'running')
     on conflict (name, slot) do update set version = excluded.version, position = 0, events = 0, status = 'running', error = null`,
    [name, version],
  );
  return { projection, checkpoint: { name, slot: 'shadow', version, position: 0n, term } };
}

/** The views are made of the new tables before the old ones go. */
async function takeShadow(connection: PostgresConnection, projection: Model): Promise<void> {
  await moveSlot(connection, projection, 'live', 'replaced');
  await moveSlot(connection, projection, 'shadow', 'live');
  await connection.query(READ_VIEWS);
  await dropSlot(connection, projection, 'replaced');
}
