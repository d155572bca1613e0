import Table from 'cli-table3';
import type { Paint } from './paint.js';
import { harmless, onOneLine } from '@waybill/client/words';

export interface Column<T> {
  readonly title: string;
  readonly of: (thing: T) => string | number | null;
  /** Aligns the column to the right, for numbers. */
  readonly right?: true;
}

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid', 'middle'].flatMap((edge) => [
    [edge, ''],
    ...['mid', 'left', 'right'].map((end) => [`${edge}-${end}`, '']),
  ]),
);

/** Aligned columns, without lines between them. */
export function tableOf<T>(things: readonly T[], columns: readonly Column<T>[], paint: Paint): string {
  const table = new Table({
    head: columns.map(({ title }) => paint.dim(title)),
    colAligns: columns.map(({ right }) => (right ? 'right' : 'left')),
    chars: { ...NO_LINES, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  for (const thing of things) table.push(columns.map(({ of }) => onOneLine(String(of(thing) ?? '-'))));
  return table.toString().replace(/ +$/gm, '');
}

/**
 * One line `name  value` per field. Further lines of a value are indented below its first. A field without a value is
 * left out.
 */
export function fields(rows: readonly (readonly [name: string, value: unknown])[], paint: Paint): string[] {
  const told = rows.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(...told.map(([name]) => name.length));
  const indented = (value: unknown): string => harmless(String(value)).replaceAll('\n', `\n${' '.repeat(width + 2)}`);
  return told.map(([name, value]) => `${paint.dim(name.padEnd(width))}  ${indented(value)}`);
}
