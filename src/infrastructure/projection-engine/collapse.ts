import type { Increments, RowChange } from '../../projections/kernel/row-change.js';
import type { Table } from '../../projections/kernel/table.js';

/** What a batch does to one row in the end; `position` is that of its last event. */
export interface NetChange {
  readonly change: RowChange;
  readonly position: bigint;
}

/** Collapses the changes of a batch into one per row, by table. */
export class Collapse {
  private readonly tables = new Map<Table, Map<string, NetChange>>();

  add(change: RowChange, position: bigint): void {
    const rows = this.rowsOf(change.table);
    const key = keyOf(change);
    const earlier = rows.get(key);
    rows.set(key, { change: earlier ? merge(earlier.change, change) : change, position });
  }

  *byTable(): Iterable<readonly [Table, readonly NetChange[]]> {
    for (const [table, rows] of this.tables) yield [table, [...rows.values()]];
  }

  private rowsOf(table: Table): Map<string, NetChange> {
    const known = this.tables.get(table) ?? new Map<string, NetChange>();
    this.tables.set(table, known);
    return known;
  }
}

function keyOf({ table, key }: RowChange): string {
  const names = Object.keys(table.key);
  return names.length === 1 ? String(key[names[0]!]) : JSON.stringify(names.map((name) => key[name]));
}

function merge(earlier: RowChange, later: RowChange): RowChange {
  if (earlier.kind === 'increment' || later.kind === 'increment') return mergeIncrements(earlier, later);
  if (later.kind !== 'patch') return later;
  if (earlier.kind === 'upsert') return { ...earlier, row: { ...earlier.row, ...later.set } };
  if (earlier.kind === 'patch') return { ...earlier, set: { ...earlier.set, ...later.set } };
  return earlier; // a patch of a row that is gone
}

function mergeIncrements(earlier: RowChange, later: RowChange): RowChange {
  if (earlier.kind !== 'increment' || later.kind !== 'increment') {
    throw new Error(`Expected table '${later.table.name}' either to count or to be replaced, but its changes do both`);
  }
  return { ...later, ...combine(earlier, later) };
}

function combine(earlier: Increments, later: Increments): Increments {
  return {
    add: each(earlier.add, later.add, (a, b) => a + b),
    greatest: each(earlier.greatest, later.greatest, (a, b) => (a > b ? a : b)),
    least: each(earlier.least, later.least, (a, b) => (a < b ? a : b)),
    latest: { ...earlier.latest, ...later.latest },
  };
}

function each<V>(
  earlier: Readonly<Partial<Record<string, V>>> = {},
  later: Readonly<Partial<Record<string, V>>> = {},
  both: (a: V, b: V) => V,
): Partial<Record<string, V>> {
  const result: Partial<Record<string, V>> = { ...earlier };
  for (const name in later) {
    const before = result[name];
    result[name] = before === undefined ? later[name] : both(before, later[name]!);
  }
  return result;
}
