import type { LeaderTerm } from '../../application/kernel/leader-term.js';
import type { PostgresConnection, PostgresPool } from '../database/postgres-pool.js';

/** The SQLSTATE that `move-checkpoint.sql` raises if the checkpoint is not where its follower believes it to be. */
const CHECKPOINT_MOVED = 'WB004';

/**
 * Queries read the `live` rows. The `shadow` rows are being built beside them, and those `before` were in use until a switch. No rows are
 * `replaced` for longer than the transaction of a switch that keeps none.
 */
export type Slot = 'live' | 'shadow' | 'before' | 'replaced';

/** The position up to which a follower has applied the log. Rows and checkpoint move in one transaction. */
export interface Checkpoint {
  readonly name: string;
  readonly slot: Slot;
  readonly version: number;
  readonly position: bigint;
  /** The term of the follower or the rebuild; absent if nothing else may follow. */
  readonly term?: LeaderTerm;
}

/** Another process moved the checkpoint. Nothing was written, and the follower must read the checkpoint again. */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

/** A newer version of the follower has taken over, so this one must stop. */
export class NewerVersion extends Error {
  override readonly name = 'NewerVersion';
}

/** An event that its follower cannot apply. `position` is the event's. */
export class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent';

  constructor(
    readonly follower: string,
    readonly position: bigint,
    override readonly cause: unknown,
  ) {
    super(`Expected '${follower}' to take the event at position ${position}, but ${messageOf(cause)}`);
  }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

type Db = Pick<PostgresPool | PostgresConnection, 'query'>;

interface CheckpointRow {
  readonly version: number;
  readonly position: string;
}

/** The live checkpoint. If there is none yet, it is created before the first event. */
export async function openCheckpoint(db: Db, name: string, version: number): Promise<Checkpoint> {
  await db.query(
    `insert into projection_checkpoints (name, slot, version, position, status) values ($1, 'live', $2, 0, 'running')
     on conflict do nothing`,
    [name, version],
  );
  const { rows } = await db.query(
    `select version, position from projection_checkpoints where name = $1 and slot = 'live'`,
    [name],
  );
  const row = rows[0] as CheckpointRow;
  return { name, slot: 'live', version: row.version, position: BigInt(row.position) };
}

/**
 * Moves `from` past so many events to `position`, or throws `CheckpointMoved`. Locks the row until the end of the transaction, which
 * commits without a flush.
 */
export async function moveCheckpoint(db: Db, from: Checkpoint, position: bigint, events: number): Promise<Checkpoint> {
  const values = [from.name, from.slot, from.version, from.position, position, events, ...termOf(from)];
  try {
    await db.query({ name: 'waybill_move_checkpoint', text: MOVE, values });
  } catch (error) {
    throw (error as { code?: string }).code === CHECKPOINT_MOVED ? moved(from) : error;
  }
  return { ...from, position };
}

const MOVE = 'select waybill_move_checkpoint($1, $2, $3, $4, $5, $6, $7, $8)';

const termOf = ({ term }: Pick<Checkpoint, 'term'>): readonly [string | null, string | null] =>
  term ? [term.role, term.epoch] : [null, null];

const moved = ({ name, position }: Checkpoint): CheckpointMoved =>
  new CheckpointMoved(`Expected the checkpoint of '${name}' to stand at ${position}, but another follower moved it`);

/** Reads the checkpoint and locks it until the end of the transaction. */
export async function lockCheckpoint(db: Db, name: string): Promise<Checkpoint> {
  const { rows } = await db.query(
    `select version, position from projection_checkpoints where name = $1 and slot = 'live' for update`,
    [name],
  );
  const row = rows[0] as CheckpointRow;
  return { name, slot: 'live', version: row.version, position: BigInt(row.position) };
}

/** Records that the follower of `from` stopped before the poison event, unless another process follows since. */
export async function stopCheckpoint(db: Db, from: Checkpoint, poison: PoisonEvent): Promise<void> {
  await db.query(
    `update projection_checkpoints set status = 'stopped', stopped_at = $2, error = $3, updated_at = now()
     where name = $1 and slot = 'live' and ($4::text is null or waybill_leads($4, $5))`,
    [poison.follower, poison.position, poison.message, ...termOf(from)],
  );
}
