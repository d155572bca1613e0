import type { ColumnValue, Table } from './table.js';

type Values<Column extends string> = Readonly<Record<Column, ColumnValue>>;

/**
 * What an event does to one row. Upsert, patch and remove belong to tables whose rows are replaced; increment to tables
 * that count. A table uses one family or the other, so that the changes of a batch collapse into one per row.
 */
export type RowChange =
  /** The row is as given; a column that is not given is null. */
  | { readonly kind: 'upsert'; readonly table: Table; readonly key: Values<string>; readonly row: Values<string> }
  /** The given columns of an existing row; nothing where there is no such row. */
  | { readonly kind: 'patch'; readonly table: Table; readonly key: Values<string>; readonly set: Values<string> }
  | { readonly kind: 'remove'; readonly table: Table; readonly key: Values<string> }
  | (Increments & { readonly kind: 'increment'; readonly table: Table; readonly key: Values<string> });

/** A missing row counts from zero. Any number of these collapses into one. */
export interface Increments<Column extends string = string> {
  readonly add?: Readonly<Partial<Record<Column, number>>>;
  readonly greatest?: Readonly<Partial<Record<Column, number | string>>>;
  readonly least?: Readonly<Partial<Record<Column, number | string>>>;
  /** The last one stands. */
  readonly latest?: Readonly<Partial<Record<Column, ColumnValue>>>;
}

export const upsert = <K extends string, C extends string>(
  table: Table<K, C>,
  key: Values<K>,
  row: Partial<Values<C>>,
): RowChange => ({ kind: 'upsert', table, key, row: row as Values<string> });

export const patch = <K extends string, C extends string>(
  table: Table<K, C>,
  key: Values<K>,
  set: Partial<Values<C>>,
): RowChange => ({ kind: 'patch', table, key, set: set as Values<string> });

export const remove = <K extends string>(table: Table<K, string>, key: Values<K>): RowChange => ({
  kind: 'remove',
  table,
  key,
});

export const increment = <K extends string, C extends string>(
  table: Table<K, C>,
  key: Values<K>,
  by: Increments<C>,
): RowChange => ({ kind: 'increment', table, key, ...by });
