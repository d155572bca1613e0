import type { RecordedEvent } from '../../application/kernel/event-store.port.js';
import { changesOf, type Projection } from '../../projections/kernel/projection.js';
import type { PostgresConnection } from '../persistence/postgres-pool.js';
import { moveCheckpoint, PoisonEvent, type Checkpoint, type Slot } from './checkpoint.js';
import { Collapse } from './collapse.js';
import { statementsFor } from './table-sql.js';
import { inTurn } from './transaction.js';

/** Where a table's rows are kept: beside the live ones while they are built anew. */
export const storedName = (table: string, slot: Slot): string => (slot === 'live' ? table : `${table}__shadow`);

/**
 * Writes what `events` do to the projection's rows, and moves the checkpoint, within the connection's transaction.
 * The checkpoint goes first: it locks, and a follower that lost its place writes nothing.
 */
export async function writeChanges(
  connection: PostgresConnection,
  projection: Projection<never>,
  events: readonly RecordedEvent[],
  from: Checkpoint,
): Promise<Checkpoint> {
  const statements = [...collapse(projection, events).byTable()].flatMap(([table, changes]) =>
    statementsFor(table, storedName(table.name, from.slot), changes),
  );
  // Sent together: a checkpoint that was moved by another makes the database refuse the rest.
  const moved = moveCheckpoint(connection, from, events.at(-1)!.position);
  await inTurn([moved, ...statements.map(({ text, values }) => connection.query(text, values))]);
  return moved;
}

function collapse(projection: Projection<never>, events: readonly RecordedEvent[]): Collapse {
  const net = new Collapse();
  for (const recorded of events) {
    for (const change of changesAt(projection, recorded)) net.add(change, recorded.position);
  }
  return net;
}

function changesAt(projection: Projection<never>, recorded: RecordedEvent): ReturnType<typeof changesOf> {
  try {
    return changesOf(projection, recorded);
  } catch (error) {
    throw new PoisonEvent(projection.name, recorded.position, error);
  }
}
