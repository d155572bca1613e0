/** The Postgres types that a read model's columns may have. */
export type ColumnType = 'text' | 'int' | 'bigint' | 'uuid' | 'timestamptz' | 'jsonb';

/** Bigints travel as numbers where they count and as text where they identify; jsonb as any plain value. */
export type ColumnValue = string | number | object | null;

/** A table of a read model, as its writer needs to know it. Every such table has a column `position bigint not null`. */
export interface Table<Key extends string = string, Column extends string = string> {
  readonly name: string;
  /** The primary key, in order. */
  readonly key: Readonly<Record<Key, ColumnType>>;
  readonly columns: Readonly<Record<Column, ColumnType>>;
}
