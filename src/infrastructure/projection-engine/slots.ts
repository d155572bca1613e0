import type { LeaderTerm } from '../../application/kernel/leader-term.js';
import type { PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import { READ_VIEWS } from '../database/read-views.js';
import { type Rows, storedName } from './change-writer.js';
import type { Slot } from './checkpoint.js';
import type { Model } from './model.js';

/** There are no rows from before a switch that could be taken back. */
export class NothingBefore extends Error {
  override readonly name = 'NothingBefore';
}

type Stored = Pick<Model, 'name' | 'tables'>;

/** Whether there are rows of before that have not been in use for a day. */
export const OLD = `select 1 from projection_checkpoints where name = $1 and slot = 'before'
  and updated_at < now() - interval '1 day' for update`;

/** The rows from before the last switch. */
export async function rowsBefore(pool: PostgresPool, projection: Model, term: LeaderTerm): Promise<Rows> {
  const { name, version } = projection;
  const { rows } = await pool.query<{ version: number; position: string }>(
    `select version, position from projection_checkpoints where name = $1 and slot = 'before'`,
    [name],
  );
  const [found] = rows;
  if (!found) throw new NothingBefore(`Expected rows of '${name}' from before a switch, but there are none`);
  if (found.version !== version)
    throw new NothingBefore(
      `Expected rows of '${name}' from before a switch in version ${version}, but they have version ${found.version}`,
    );
  return { projection, checkpoint: { name, slot: 'before', version, position: BigInt(found.position), term } };
}

/** Gives the rows in `slot` to readers, and keeps those that were in use as `before`. */
export async function swapSlots(connection: PostgresConnection, stored: Stored, slot: Slot): Promise<void> {
  // What a rebuild that was killed has left behind is in the way.
  await dropSlot(connection, stored, slot === 'before' ? 'shadow' : 'before');
  if (slot === 'before') await moveSlot(connection, stored, 'before', 'shadow');
  await moveSlot(connection, stored, 'live', 'before');
  await moveSlot(connection, stored, 'shadow', 'live');
  await connection.query(READ_VIEWS);
}

export async function moveSlot(connection: PostgresConnection, { name, tables }: Stored, from: Slot, to: Slot) {
  for (const table of tables)
    await connection.query(`alter table ${storedName(table.name, from)} rename to ${storedName(table.name, to)}`);
  await connection.query(
    `update projection_checkpoints set slot = $3, updated_at = now() where name = $1 and slot = $2`,
    [name, from, to],
  );
}

export async function dropSlot(connection: PostgresConnection, { name, tables }: Stored, slot: Slot): Promise<void> {
  for (const table of tables) await connection.query(`drop table if exists ${storedName(table.name, slot)}`);
  await connection.query('delete from projection_checkpoints where name = $1 and slot = $2', [name, slot]);
}
