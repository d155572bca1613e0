import widthOf from 'string-width';

/** A column with its texts. */
export interface Measured {
  readonly title: string;
  readonly cells: readonly string[];
  readonly width: number;
  readonly right?: true;
  readonly as?: 'state' | 'id' | 'time' | undefined;
  readonly drop?: number | undefined;
}

/** A text that is cut further says too little, so that another column is left out instead. */
const LEAST = 24;

const TAIL = 8;

/** The columns that fit: without those that say nothing, then with ids by their ends, the widest text cut, and without those that matter least. */
export function fitted(columns: readonly Measured[], width: number, gap: number): readonly Measured[] {
  if (overBy(columns, width, gap) <= 0) return columns;
  const idle = columns.find(saysNothing);
  if (idle)
    return fitted(
      columns.filter((one) => one !== idle),
      width,
      gap,
    );
  return fewer(columns.map(byTail), width, gap);
}

function fewer(columns: readonly Measured[], width: number, gap: number): readonly Measured[] {
  const over = overBy(columns, width, gap);
  if (over <= 0) return columns;
  const widest = columns.filter(isText).reduce((one, other) => (other.width > one.width ? other : one), NONE);
  const least = columns.reduce((one, other) => ((other.drop ?? 0) > (one.drop ?? 0) ? other : one), NONE);
  const room = widest.width - over;
  if (least !== NONE && room < LEAST)
    return fewer(
      columns.filter((one) => one !== least),
      width,
      gap,
    );
  return columns.map((one) => (one === widest ? cut(one, Math.max(1, room)) : one));
}

const NONE: Measured = { title: '', cells: [], width: 0 };

const saysNothing = ({ drop, cells }: Measured): boolean =>
  drop !== undefined && cells.every((cell) => ['', '-', '0'].includes(cell));

const overBy = (columns: readonly Measured[], width: number, gap: number): number =>
  columns.reduce((sum, column) => sum + column.width + gap, -gap) - width;

const isText = ({ right, as }: Measured): boolean => !right && as === undefined;

/** `…1b2c3d4e`: ids that were made at the same time begin alike. */
function byTail(column: Measured): Measured {
  if (column.as !== 'id') return column;
  const cells = column.cells.map((cell) => (cell.length > TAIL + 1 ? `…${cell.slice(-TAIL)}` : cell));
  return { ...column, cells, width: Math.max(...[column.title, ...cells].map((cell) => widthOf(cell))) };
}

/** Nothing is cut off numbers, states, ids and times. */
function cut(column: Measured, width: number): Measured {
  if (!isText(column) || column.width <= width) return column;
  return { ...column, width, cells: column.cells.map((cell) => cutText(cell, width)) };
}

function cutText(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  let [kept, taken] = ['', 1];
  for (const letter of letters) {
    taken += widthOf(letter);
    if (taken > width) break;
    kept += letter;
  }
  return `${kept}…`;
}
