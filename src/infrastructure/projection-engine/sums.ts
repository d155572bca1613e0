import type { RowChange } from '../../projections/kernel/row-change.js';
import type { ColumnValue } from '../../projections/kernel/table.js';

export type Increment = Extract<RowChange, { readonly kind: 'increment' }>;
type Columns<V> = Record<string, V>;

/** The sum of one row's increments. Its owner may change it in place. */
export interface Sum extends Increment {
  readonly add: Columns<number>;
  readonly greatest: Columns<number | string>;
  readonly least: Columns<number | string>;
  readonly latest: Columns<ColumnValue>;
}

/** Starts a sum with an increment that happened `times`. */
export function sumOf(increment: Increment, times: number): Sum {
  const { kind, table, key } = increment;
  const sum: Sum = { kind, table, key, add: {}, greatest: {}, least: {}, latest: {} };
  addTo(sum, increment, times);
  return sum;
}

/**
 * Adds in place: a busy queue's row gets an increment for every event of a batch, and copying took ten times as long as
 * adding.
 */
export function addTo(sum: Sum, { add, greatest, least, latest }: Increment, times: number): void {
  for (const name in add) sum.add[name] = (sum.add[name] ?? 0) + times * add[name]!;
  for (const name in greatest) keep(sum.greatest, name, greatest[name]!, (held, value) => value > held);
  for (const name in least) keep(sum.least, name, least[name]!, (held, value) => value < held);
  for (const name in latest) sum.latest[name] = latest[name]!;
}

type Order = (held: number | string, value: number | string) => boolean;

function keep(columns: Columns<number | string>, name: string, value: number | string, wins: Order): void {
  const held = columns[name];
  if (held === undefined || wins(held, value)) columns[name] = value;
}
