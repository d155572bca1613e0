import type { ColumnValue, Table } from './table.js';

type Values<Column extends string> = Readonly<Record<Column, ColumnValue>>;

/**
 * What an event does to one row. Upsert, patch and remove are for tables whose rows are replaced; increment is for
 * tables that count. A table uses one family or the other, so that a batch's changes collapse into one per row.
 */
export type RowChange =
  /** Replaces the row. A column that is not given becomes null. */
  | { readonly kind: 'upsert'; readonly table: Table; readonly key: Values<string>; readonly row: Values<string> }
  /** Sets the given columns of an existing row. Does nothing if there is no such row. */
  | { readonly kind: 'patch'; readonly table: Table; readonly key: Values<string>; readonly set: Values<string> }
  | { readonly kind: 'remove'; readonly table: Table; readonly key: Values<string> }
  | (Increments & { readonly kind: 'increment'; readonly table: Table; readonly key: Values<string> });

/** Adds to counts; a missing row counts from zero. Any number of increments collapses into one. */
export interface Increments<Column extends string = string> {
  readonly add?: Readonly<Partial<Record<Column, number>>>;
  readonly greatest?: Readonly<Partial<Record<Column, number | string>>>;
  readonly least?: Readonly<Partial<Record<Column, number | string>>>;
  /** Columns of which the newest value is kept. */
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
