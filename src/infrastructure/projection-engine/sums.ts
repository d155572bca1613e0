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

/** Starts a sum. */
export const sumOf = ({ kind, table, key, add, greatest, least, latest }: Increment): Sum => ({
  kind,
  table,
  key,
  add: { ...add } as Columns<number>,
  greatest: { ...greatest } as Columns<number | string>,
  least: { ...least } as Columns<number | string>,
  latest: { ...latest } as Columns<ColumnValue>,
});

/**
 * Adds in place: a busy queue's row gets an increment for every event of a batch, and copying took ten times as long as
 * adding.
 */
export function addTo(sum: Sum, { add, greatest, least, latest }: Increment): void {
  for (const name in add) sum.add[name] = (sum.add[name] ?? 0) + add[name]!;
  for (const name in greatest) keep(sum.greatest, name, greatest[name]!, (held, value) => value > held);
  for (const name in least) keep(sum.least, name, least[name]!, (held, value) => value < held);
  for (const name in latest) sum.latest[name] = latest[name]!;
}

type Order = (held: number | string, value: number | string) => boolean;

function keep(columns: Columns<number | string>, name: string, value: number | string, wins: Order): void {
  const held = columns[name];
  if (held === undefined || wins(held, value)) columns[name] = value;
}
