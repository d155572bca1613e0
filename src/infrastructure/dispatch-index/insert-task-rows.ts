import { Int4Array, Int8Array, TextArray, TimestampArray, UuidArray } from '../database/array-parameters.js';
import type { PostgresConnection } from '../database/postgres-pool.js';

type ColumnType = 'uuid' | 'text' | 'jsonb' | 'int4' | 'int8' | 'timestamptz';

const COLUMNS = {
  task_id: 'uuid',
  queue: 'text',
  state: 'text',
  kind: 'text',
  key: 'text',
  reference: 'text',
  priority: 'int4',
  labels: 'jsonb',
  description: 'text',
  due_at: 'timestamptz',
  enqueued_at: 'timestamptz',
  started_at: 'timestamptz',
  finished_at: 'timestamptz',
  failed_at: 'timestamptz',
  waiting_since: 'timestamptz',
  attempt: 'int4',
  worker: 'text',
  last_step: 'text',
  error: 'text',
  error_class: 'text',
  seq: 'int8',
  position: 'int8',
  revision: 'int4',
} as const satisfies Readonly<Record<string, ColumnType>>;

/** A row of `tasks` by column name; what is absent is null. */
export type TaskRow = Readonly<Record<keyof typeof COLUMNS, unknown>>;

const NAMES = Object.keys(COLUMNS) as (keyof TaskRow)[];

const INSERT = `insert into tasks (${NAMES.join(', ')})
  select ${NAMES.map((name) => (COLUMNS[name] === 'jsonb' ? `${name}::jsonb` : name)).join(', ')}
  from unnest(${NAMES.map((name, at) => `$${at + 1}::${travels(COLUMNS[name])}[]`).join(', ')}) as t(${NAMES.join(', ')})`;

function travels(type: ColumnType): string {
  return type === 'jsonb' ? 'text' : type;
}

/** Inserts the rows, none of which may be there yet; as arrays, because rows as JSON took Postgres three times as long. */
export async function insertTaskRows(connection: PostgresConnection, rows: readonly TaskRow[]): Promise<void> {
  await connection.query(
    INSERT,
    NAMES.map((name) =>
      arrayOf(
        COLUMNS[name],
        rows.map((row) => row[name]),
      ),
    ),
  );
}

function arrayOf(type: ColumnType, values: readonly unknown[]): Buffer {
  const array = emptyArray(type, values.length);
  for (const value of values) {
    if (value === null || value === undefined) array.addNull();
    else array.add((type === 'jsonb' ? JSON.stringify(value) : value) as never);
  }
  return array.value();
}

const TEXT_BYTES = 24;

function emptyArray(type: ColumnType, size: number) {
  switch (type) {
    case 'uuid':
      return new UuidArray(size);
    case 'int4':
      return new Int4Array(size);
    case 'int8':
      return new Int8Array(size);
    case 'timestamptz':
      return new TimestampArray(size);
    default:
      return new TextArray(size, TEXT_BYTES);
  }
}
