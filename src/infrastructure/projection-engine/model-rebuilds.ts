import {
  type ModelRebuild,
  ModelRebuilds,
  type RebuildCall,
  type RebuildOutcome,
} from '../../application/rebuilds/model-rebuilds.port.js';
import type { PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import type { Model } from './model.js';
import { type Rebuild, RebuildRunning } from './rebuild.js';
import { NothingBefore } from './slots.js';

/** The order has replaced rows before. */
class ReplacedBefore extends Error {}

/** Rebuilds that tasks order. That one has replaced rows is kept with its checkpoint, in the transaction that replaces them. */
export class PostgresModelRebuilds extends ModelRebuilds {
  constructor(
    private readonly models: readonly Model[],
    private readonly pool: PostgresPool,
    private readonly rebuild: Rebuild,
  ) {
    super();
  }

  async carryOut({ projection, mode }: ModelRebuild, call: RebuildCall): Promise<RebuildOutcome> {
    const model = this.models.find(({ name }) => name === projection);
    if (!model) return { kind: 'refused', says: `Expected a read model '${projection}', but this version has none` };
    try {
      if (mode === 'diff') return { kind: 'compared', ...(await this.rebuild.diff(model, call)) };
      await this.replace(model, mode, call);
      return { kind: 'replaced' };
    } catch (error) {
      return outcomeOf(error);
    }
  }

  private async replace(model: Model, mode: 'switch' | 'back', call: RebuildCall): Promise<void> {
    const { rows } = await this.pool.query('select 1 from bulk_checkpoints where task_id = $1', [call.order]);
    if (rows.length > 0) throw new ReplacedBefore();
    await this.rebuild[mode](model, { ...call, within: (connection) => keep(connection, call) });
  }
}

/** Of attempts at the same time, one can keep it. */
async function keep(connection: PostgresConnection, { order, fencingToken }: RebuildCall): Promise<void> {
  const { rowCount } = await connection.query(
    'insert into bulk_checkpoints (task_id, token, checkpoint) values ($1, $2, $3) on conflict do nothing',
    [order, fencingToken, JSON.stringify(DONE)],
  );
  if (rowCount === 0) throw new ReplacedBefore();
}

const DONE = { tasks: [], cursor: null, result: { asked: 1, done: 1, refused: {}, examples: [] } };

function outcomeOf(error: unknown): RebuildOutcome {
  if (error instanceof ReplacedBefore) return { kind: 'replaced' };
  if (error instanceof RebuildRunning) return { kind: 'occupied' };
  if (error instanceof NothingBefore) return { kind: 'refused', says: error.message };
  throw error;
}
