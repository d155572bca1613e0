import type { RecordedEvent } from '../../application/kernel/event-store.port.js';
import { changesOf, type Projection } from '../../projections/kernel/projection.js';
import type { PostgresConnection } from '../database/postgres-pool.js';
import { moveCheckpoint, PoisonEvent, type Checkpoint, type Slot } from './checkpoint.js';
import { Collapse } from './collapse.js';
import { type Statement, statementsFor } from './table-sql.js';
import { inTurn } from '../database/transaction.js';

/**
 * The name under which a table's rows are stored. While they are rebuilt, the new ones are stored beside the live ones.
 */
export const storedName = (table: string, slot: Slot): string => (slot === 'live' ? table : `${table}__shadow`);

/** A projection's rows as of a checkpoint. */
export interface Rows {
  readonly projection: Projection<never>;
  readonly checkpoint: Checkpoint;
}

/**
 * Writes the changes that `events` make to the rows of each projection, and moves its checkpoint, within the
 * connection's transaction. Throws `PoisonEvent` before it sends anything. Returns the rows as of the new checkpoints.
 */
export async function writeChanges(
  connection: PostgresConnection,
  all: readonly Rows[],
  events: readonly RecordedEvent[],
): Promise<readonly Rows[]> {
  const { position } = events.at(-1)!;
  const statements = all.map((rows) => statementsOf(rows, events));
  return Promise.all(all.map((rows, at) => send(connection, rows, statements[at]!, position)));
}

const statementsOf = ({ projection, checkpoint }: Rows, events: readonly RecordedEvent[]): readonly Statement[] =>
  [...collapse(projection, events).byTable()].flatMap(([table, changes]) =>
    statementsFor(table, storedName(table.name, checkpoint.slot), changes),
  );

/**
 * The checkpoint goes first, because moving it locks it: a follower that lost its place then writes nothing. The
 * statements are sent together; if another follower moved the checkpoint, the database refuses the rest.
 */
async function send(
  connection: PostgresConnection,
  { projection, checkpoint }: Rows,
  statements: readonly Statement[],
  position: bigint,
): Promise<Rows> {
  const moved = moveCheckpoint(connection, checkpoint, position);
  await inTurn([moved, ...statements.map(({ text, values }) => connection.query(text, values))]);
  return { projection, checkpoint: await moved };
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
