/** The Postgres types that a read model's columns may have. */
export type ColumnType = 'text' | 'int' | 'bigint' | 'uuid' | 'timestamptz' | 'jsonb';

/** Bigints are numbers where they count and text where they identify. Jsonb takes any plain value. */
export type ColumnValue = string | number | object | null;

/**
 * A table of a read model, as far as its writer needs to know it. Every such table has a column `position bigint not
 * null`.
 */
export interface Table<Key extends string = string, Column extends string = string> {
  readonly name: string;
  /** The primary key, in order. */
  readonly key: Readonly<Record<Key, ColumnType>>;
  readonly columns: Readonly<Record<Column, ColumnType>>;
}
