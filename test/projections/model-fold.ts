import type { RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import type { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { type Projection, ruleFor } from '../../src/projections/kernel/projection.js';
import type { RowChange } from '../../src/projections/kernel/row-change.js';
import type { Table } from '../../src/projections/kernel/table.js';

export type CountedRow = Record<string, unknown>;

/** The rows of a counting model's first table by key, in the form of `foldCounts`. */
export async function storedCounts(
  { tables }: Projection<never>,
  pool: Pick<PostgresPool, 'query'>,
): Promise<Map<string, CountedRow>> {
  const table = tables[0] as Table;
  const { rows } = await pool.query<CountedRow>(`select * from ${table.name}`);
  return new Map(
    rows
      .map((row) => withCounts(written(table, row)))
      .map((row) => [
        Object.keys(table.key)
          .map((part) => row[part])
          .join('/'),
        row,
      ]),
  );
}

/** Without the columns that Postgres derives from those that the model writes. */
export const written = ({ key, columns }: Table, row: CountedRow): CountedRow =>
  Object.fromEntries([...Object.keys(key), ...Object.keys(columns), 'position'].map((name) => [name, row[name]]));

/** Counts arrive as text, because they may outgrow a number. Here they do not. */
const withCounts = (row: CountedRow): CountedRow =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isCount(value) ? Number(value) : value]));

const isCount = (value: unknown): boolean => typeof value === 'string' && /^-?\d+$/.test(value);

/**
 * The rows of a counting model's tables by key, according to the contract of `increment`. The oracle of the
 * change-writer. Times are as Postgres returns them.
 */
export function foldCounts(
  projection: Projection<never>,
  events: readonly RecordedEvent[],
  tables: readonly Table[] = [projection.tables[0]!],
): Map<string, CountedRow> {
  const rows = new Map<string, CountedRow>();
  for (const recorded of events) {
    for (const change of ruleFor(projection, recorded.event)?.(recorded) ?? []) {
      if (change.kind !== 'increment')
        throw new Error(`Expected '${projection.name}' to count, but it has '${change.kind}'`);
      if (!tables.includes(change.table)) continue;
      const read = keyOf(change);
      const key = Object.values(read).join('/');
      const row = rows.get(key) ?? { ...emptyRow(change), ...read };
      for (const name in change.add) row[name] = (row[name] as number) + change.add[name]!;
      for (const name in change.greatest) row[name] = larger(row[name], change.greatest[name]!);
      for (const name in change.least) row[name] = smaller(row[name], change.least[name]!);
      Object.assign(row, change.latest, { position: Number(recorded.position) });
      rows.set(key, row);
    }
  }
  return rows;
}

const keyOf = ({ table, key }: RowChange): CountedRow =>
  Object.fromEntries(
    Object.entries(key).map(([name, value]) => [
      name,
      table.key[name] === 'timestamptz' ? new Date(value as string).toISOString() : value,
    ]),
  );

function emptyRow({ table, key }: RowChange): CountedRow {
  const zero = ([name, type]: [string, string]) => [name, ['int', 'bigint'].includes(type) ? 0 : null];
  return { ...key, ...Object.fromEntries(Object.entries(table.columns).map(zero)) };
}

const smaller = (a: unknown, b: number | string): number | string =>
  a !== null && (a as number) < (b as number) ? (a as number) : b;

const larger = (a: unknown, b: number | string): number | string =>
  a !== null && (a as number) > (b as number) ? (a as number) : b;
