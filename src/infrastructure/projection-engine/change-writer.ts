import { type LogSegment, sizeOf } from '../../application/kernel/log-segment.js';
import { type Projection, ruleFor } from '../../projections/kernel/projection.js';
import type { PostgresConnection } from '../database/postgres-pool.js';
import { AlikeRuns } from './alike-events.js';
import { moveCheckpoint, PoisonEvent, type Checkpoint, type Slot } from './checkpoint.js';
import { Collapse } from './collapse.js';
import { looksIntoLog, type Model } from './model.js';
import { type Statement, statementsFor } from './table-sql.js';
import { inTurn } from '../database/transaction.js';

/** The name under which a table's rows are stored. Those that are not in use are stored beside the live ones. */
export const storedName = (table: string, slot: Slot): string => (slot === 'live' ? table : `${table}__${slot}`);

/** The rows of a model as of a checkpoint. */
export interface Rows<M extends Model = Model> {
  readonly projection: M;
  readonly checkpoint: Checkpoint;
}

type ProjectedRows = Rows<Projection<never>>;

/** Writes what was prepared, within the connection's transaction, and returns the rows as of the new checkpoints. */
export type Writing = (connection: PostgresConnection) => Promise<readonly Rows[]>;

/**
 * Finds the changes that the events of `segments` make to the rows of each model. What it returns writes them as `writeChanges`
 * does. Throws `PoisonEvent`.
 */
export async function prepareChanges(all: readonly Rows[], segments: readonly LogSegment[]): Promise<Writing> {
  const statements = await Promise.all(all.map((rows) => statementsFrom(rows, segments)));
  return (connection) => Promise.all(all.map((rows, at) => send(connection, rows, statements[at]!, segments)));
}

const statementsFrom = async ({ projection, checkpoint }: Rows, segments: readonly LogSegment[]) =>
  looksIntoLog(projection)
    ? projection.statements(segments, checkpoint.slot)
    : statementsOf({ projection, checkpoint }, segments);

/**
 * Writes the changes that the events of `segments` make to the rows of each projection, and moves its checkpoint,
 * within the connection's transaction. Throws `PoisonEvent` before it sends anything. Returns the rows as of the new
 * checkpoints.
 */
export async function writeChanges(
  connection: PostgresConnection,
  all: readonly ProjectedRows[],
  segments: readonly LogSegment[],
): Promise<readonly ProjectedRows[]> {
  const statements = all.map((rows) => statementsOf(rows, segments));
  return Promise.all(all.map((rows, at) => send(connection, rows, statements[at]!, segments)));
}

const statementsOf = (
  { projection, checkpoint }: ProjectedRows,
  segments: readonly LogSegment[],
): readonly Statement[] =>
  [...collapse(projection, segments).byTable()].flatMap(([table, changes]) =>
    statementsFor(table, storedName(table.name, checkpoint.slot), changes),
  );

/**
 * The checkpoint goes first, because moving it locks it: a follower that lost its place then writes nothing. The
 * statements are sent together; if another follower moved the checkpoint, the database refuses the rest.
 */
async function send<M extends Model>(
  connection: PostgresConnection,
  { projection, checkpoint }: Rows<M>,
  statements: readonly Statement[],
  segments: readonly LogSegment[],
): Promise<Rows<M>> {
  const moved = moveCheckpoint(connection, checkpoint, segments.at(-1)!.position, sizeOf(segments));
  await inTurn([moved, ...statements.map(({ text, values }) => connection.query(text, values))]);
  return { projection, checkpoint: await moved };
}

function collapse(projection: Projection<never>, segments: readonly LogSegment[]): Collapse {
  const net = new Collapse();
  for (const segment of segments) fold(projection, segment, net);
  return net;
}

function fold(projection: Projection<never>, segment: LogSegment, net: Collapse): void {
  let at = 0;
  try {
    const rule = ruleFor(projection, segment);
    if (!rule) return;
    const { data } = segment;
    const runs = new AlikeRuns(rule, segment, data);
    while (at < data.length) {
      const { changes, count } = runs.from(at);
      for (const change of changes) net.add(change, segment, at + count - 1, count);
      at += count;
    }
  } catch (error) {
    throw new PoisonEvent(projection.name, segment.positionAt(at), error);
  }
}
