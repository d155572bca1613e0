import type { RowChange } from '../../projections/kernel/row-change.js';
import type { ColumnType, ColumnValue, Table } from '../../projections/kernel/table.js';
import type { NetChange } from './collapse.js';

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

type Net<K extends RowChange['kind']> = { readonly change: Extract<RowChange, { kind: K }>; readonly position: bigint };

/** A column as a parameter: its type, and its value in each row. */
interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly valueOf: (net: NetChange) => ColumnValue | bigint | undefined;
}

/**
 * The statements that write `changes`, one per row, to the table stored as `stored`. There is one statement per kind of
 * change, whatever the number of rows. A row at or past a change's position is left alone.
 */
export function statementsFor(table: Table, stored: string, changes: readonly NetChange[]): readonly Statement[] {
  const of = <K extends RowChange['kind']>(kind: K) => changes.filter(({ change }) => change.kind === kind) as Net<K>[];
  return [
    ...some(of('remove'), (nets) => removal(table, stored, nets)),
    ...some(of('upsert'), (nets) => upsertion(table, stored, nets)),
    ...bySetColumns(of('patch')).map((nets) => patching(table, stored, nets)),
    ...some(of('increment'), (nets) => incrementing(table, stored, nets)),
  ];
}

const some = <N>(nets: readonly N[], statement: (nets: readonly N[]) => Statement): Statement[] =>
  nets.length === 0 ? [] : [statement(nets)];

function removal(table: Table, stored: string, nets: readonly Net<'remove'>[]): Statement {
  const { from, values } = unnest([...keyColumns(table), POSITION], nets);
  return { text: `delete from ${stored} t using ${from} where ${sameRow(table)} and t.position < u.position`, values };
}

function upsertion(table: Table, stored: string, nets: readonly Net<'upsert'>[]): Statement {
  const columns = columnsOf(table, (net, name) => (net as Net<'upsert'>).change.row[name]);
  const sets = columns.map(({ name }) => `${name} = excluded.${name}`);
  return insertOrUpdate(table, stored, columns, sets, nets);
}

function patching(table: Table, stored: string, nets: readonly Net<'patch'>[]): Statement {
  const names = Object.keys(nets[0]!.change.set);
  const set = columnsOf(table, (net, name) => (net as Net<'patch'>).change.set[name], names);
  const { from, values } = unnest([...keyColumns(table), ...set, POSITION], nets);
  const sets = [...names, 'position'].map((name) => `${name} = u.${name}`).join(', ');
  const text = `update ${stored} t set ${sets} from ${from} where ${sameRow(table)} and t.position < u.position`;
  return { text, values };
}

/**
 * Columns that count begin at zero, so they need no null. The others begin as null. Most of the 81 columns of a histogram are not
 * touched, and are written as that constant: parameters for all of them cost more than the rest of the statement.
 */
function incrementing(table: Table, stored: string, nets: readonly Net<'increment'>[]): Statement {
  const { sets, touched } = combinations(nets);
  const beginning = (name: string) => (counts(table, name) ? 0 : null);
  const columns = columnsOf(table, (net, name) => {
    const { add, greatest, least, latest } = (net as Net<'increment'>).change;
    return add?.[name] ?? greatest?.[name] ?? least?.[name] ?? latest?.[name] ?? beginning(name);
  });
  const constants = columns.filter(({ name }) => !touched.has(name));
  return insertOrUpdate(
    table,
    stored,
    columns.filter(({ name }) => touched.has(name)),
    sets,
    nets,
    constants.map(({ name, type }) => ({ name, value: `${beginning(name)}::${type}` })),
  );
}

const COMBINE = {
  add: (c: string) => `${c} = t.${c} + excluded.${c}`,
  greatest: (c: string) => `${c} = greatest(t.${c}, excluded.${c})`,
  least: (c: string) => `${c} = least(t.${c}, excluded.${c})`,
  latest: (c: string) => `${c} = coalesce(excluded.${c}, t.${c})`,
};

function combinations(nets: readonly Net<'increment'>[]) {
  const sets = new Set<string>();
  const touched = new Set<string>();
  for (const { change } of nets) {
    for (const way of ['add', 'greatest', 'least', 'latest'] as const) {
      for (const column in change[way]) {
        touched.add(column);
        sets.add(COMBINE[way](column));
      }
    }
  }
  return { sets: [...sets], touched };
}

/** A column that has the same value in every new row. */
interface Constant {
  readonly name: string;
  readonly value: string;
}

function insertOrUpdate(
  table: Table,
  stored: string,
  columns: readonly Column[],
  sets: readonly string[],
  nets: readonly NetChange[],
  constants: readonly Constant[] = [],
): Statement {
  const all = [...keyColumns(table), ...columns, POSITION];
  const { from, values } = unnest(all, nets);
  const names = [...all, ...constants].map(({ name }) => name).join(', ');
  const selected = ['*', ...constants.map(({ value }) => value)].join(', ');
  const text = `insert into ${stored} as t (${names}) select ${selected} from ${from}
    on conflict (${Object.keys(table.key).join(', ')}) do update set ${[...sets, 'position = excluded.position'].join(', ')}
    where t.position < excluded.position`;
  return { text, values };
}

/**
 * Passes the rows as one array per column, under the alias `u`, so that the text is the same for any number of rows.
 */
function unnest(columns: readonly Column[], nets: readonly NetChange[]): { from: string; values: unknown[] } {
  const arrays = columns.map(({ type }, i) => `$${i + 1}::${type}[]`).join(', ');
  const names = columns.map(({ name }) => name).join(', ');
  const values = columns.map((column) => nets.map((net) => wireValue(column, net)));
  return { from: `unnest(${arrays}) as u (${names})`, values };
}

function wireValue(column: Column, net: NetChange): unknown {
  const value = column.valueOf(net) ?? null;
  return column.type === 'jsonb' && value !== null ? JSON.stringify(value) : value;
}

const POSITION: Column = { name: 'position', type: 'bigint', valueOf: ({ position }) => position };

const keyColumns = (table: Table): Column[] =>
  Object.entries(table.key).map(([name, type]) => ({ name, type, valueOf: ({ change }) => change.key[name] }));

const columnsOf = (
  table: Table,
  valueOf: (net: NetChange, name: string) => ColumnValue | undefined,
  names: readonly string[] = Object.keys(table.columns),
): Column[] => names.map((name) => ({ name, type: table.columns[name]!, valueOf: (net) => valueOf(net, name) }));

const sameRow = (table: Table): string =>
  Object.keys(table.key)
    .map((name) => `t.${name} = u.${name}`)
    .join(' and ');

const counts = (table: Table, column: string): boolean => ['int', 'bigint'].includes(table.columns[column]!);

function bySetColumns(nets: readonly Net<'patch'>[]): readonly (readonly Net<'patch'>[])[] {
  const groups = new Map<string, Net<'patch'>[]>();
  for (const net of nets) {
    const columns = Object.keys(net.change.set).sort().join();
    const group = groups.get(columns);
    if (group) group.push(net);
    else groups.set(columns, [net]);
  }
  return [...groups.values()];
}
