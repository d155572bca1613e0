import type { DifferingRow, RebuildDiff } from '../../application/rebuilds/model-rebuilds.port.js';
import type { PostgresConnection } from '../database/postgres-pool.js';
import { storedName } from './change-writer.js';
import type { Model, StoredTable } from './model.js';

/** The most rows that are named. */
const MOST = 20;

/** The rows of the model in use that differ from those that were built beside them. */
export async function differences(
  connection: PostgresConnection,
  { tables }: Model,
): Promise<Omit<RebuildDiff, 'position'>> {
  let rows = 0;
  const first: DifferingRow[] = [];
  for (const table of tables) {
    const found = await differing(connection, table);
    rows += found.rows;
    first.push(...found.first);
  }
  return { rows, first: first.slice(0, MOST) };
}

interface FoundRow extends Omit<DifferingRow, 'table'> {
  readonly rows: string;
}

async function differing(
  connection: PostgresConnection,
  { name, key }: StoredTable,
): Promise<Omit<RebuildDiff, 'position'>> {
  const names = Object.keys(key);
  const keyOf = (): string => names.map((one) => `'${one}', coalesce(l.${one}, s.${one})`).join(', ');
  const same = names.map((column) => `l.${column} = s.${column}`).join(' and ');
  const { rows: found } = await connection.query(
    `select count(*) over () as rows, key, live, rebuilt from (
       select jsonb_build_object(${keyOf()}) as key, to_jsonb(l) as live, to_jsonb(s) as rebuilt
       from ${name} l full join ${storedName(name, 'shadow')} s on ${same}) both_sides
     where live is distinct from rebuilt order by key limit ${MOST}`,
  );
  const [any] = found as FoundRow[];
  return {
    rows: Number(any?.rows ?? 0),
    first: (found as FoundRow[]).map(({ key: of, live, rebuilt }) => ({ table: name, key: of, live, rebuilt })),
  };
}
