import { harmless, onOneLine } from '@waybill/client/words';
import widthOf from 'string-width';
import { fitted, type Measured } from './fit.js';
import type { Paint } from './paint.js';

export interface Column<T> {
  readonly title: string;
  readonly of: (thing: T) => string | number | null;
  /** Aligns the column to the right, for numbers. */
  readonly right?: true;
  /** A state has its colour. The id of a task or batch is cut to its last 8 characters, which also find it, if space is short. */
  readonly as?: 'state' | 'id';
  /** If space is short, columns with a number are left out: first those that say nothing, then that with the greatest number. */
  readonly drop?: number | undefined;
}

/** Between two columns. */
const GAP = '  ';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Aligned columns, without lines between them. `width`: how wide it may be; without it, as wide as what is in it. */
export function tableOf<T>(
  things: readonly T[],
  columns: readonly Column<T>[],
  paint: Paint,
  width = Infinity,
): string {
  const measured = columns.map((column) => measuredIn(column, things, paint));
  const shown = fitted(measured, width, GAP.length);
  const lines = [-1, ...things.keys()].map((row) => shown.map((column) => cellOf(column, row, paint)).join(GAP));
  return lines.map((line) => line.trimEnd()).join('\n');
}

function measuredIn<T>({ of, ...column }: Column<T>, things: readonly T[], paint: Paint): Measured {
  const told = (thing: T): string => {
    const text = onOneLine(String(of(thing) ?? '-'));
    return TIME.test(text) ? (paint.ago(text) ?? text) : text;
  };
  const cells = things.map(told);
  const as = column.as ?? (cells.some((cell) => TIME.test(cell)) ? 'time' : undefined);
  return { ...column, as, cells, width: Math.max(widthOf(column.title), ...cells.map((cell) => widthOf(cell))) };
}

/** `row`: -1 for the title. */
function cellOf({ title, cells, width, right, as }: Measured, row: number, paint: Paint): string {
  const text = cells[row] ?? title;
  const blank = ' '.repeat(Math.max(0, width - widthOf(text)));
  const painted = row < 0 ? paint.dim(text) : as === 'state' ? paint.state(text) : text;
  return right ? blank + painted : painted + blank;
}

/**
 * One line `name  value` per field. Further lines of a value are indented below its first. A field without a value is
 * left out.
 */
export function fields(rows: readonly (readonly [name: string, value: unknown])[], paint: Paint): string[] {
  const told = rows.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(...told.map(([name]) => name.length));
  const indented = (value: unknown): string => harmless(String(value)).replaceAll('\n', `\n${' '.repeat(width + 2)}`);
  const valueOf = (name: string, value: unknown): string => {
    if (name === 'state') return paint.state(indented(value));
    const ago = typeof value === 'string' && TIME.test(value) ? paint.ago(value) : null;
    return ago === null ? indented(value) : `${indented(value)}  ${paint.dim(ago)}`;
  };
  return told.map(([name, value]) => `${paint.dim(name.padEnd(width))}  ${valueOf(name, value)}`);
}
