import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  memo,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { classes } from './classes.js';
import css from './table.module.css';

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  /** Numbers stand at the right, so that their digits stand below each other. */
  readonly isNumber?: boolean;
  /** Takes what room there is, and cuts what does not fit. */
  readonly isWide?: boolean;
  /** Goes on in further lines, where what is cut could not be understood. */
  readonly isWrapped?: boolean;
  /** Comes first on a phone, after the name of the row. */
  readonly isFirst?: boolean;
  /** Whether the row says anything in it. A column in which no row does is left out; without this, it always stands. */
  readonly says?: (row: T) => boolean;
}

/** Which rows are chosen. */
export interface Selection {
  readonly has: (key: string) => boolean;
  /** `isRange`: with all between it and the one that was chosen last. */
  readonly toggle: (key: string, isRange: boolean) => void;
  /** Whether all are. */
  readonly isWhole: boolean;
  /** Chooses all, or none if all are chosen. */
  readonly toggleAll: () => void;
}

interface TableProps<T> {
  /** What the table is about, for readers of screens. */
  readonly about: string;
  /** The first one names the row. */
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly selection?: Selection;
  /** Called while the last rows are in sight, to load what comes after them. */
  readonly onEnd?: () => void;
}

/** So few rows are all in the page, also for the search of the browser. */
const FEW = 100;

/** So many rows before the last one, the next are asked for. */
const AHEAD = 40;

/** The height of a row before one is measured, in pixels. */
const ROW = 38;

/** Rows with a name and figures, of which only those in sight are in the page. On a phone each row is a card. */
export function Table<T>({ about, columns: all, rows, keyOf, selection, onEnd }: TableProps<T>) {
  const columns = useMemo(() => all.filter(({ says }) => !says || rows.some(says)), [all, rows]);
  const table = useRef<HTMLTableElement>(null);
  const scroll = useRef<HTMLDivElement>(null);
  const isWider = useIsWider(scroll);
  const { last, ...inSight } = useRowsInSight(table, rows.length);
  const isAtEnd = last >= rows.length - AHEAD;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, rows.length, onEnd]);
  return (
    <div ref={scroll} className={css.scroll} {...(isWider && { role: 'group', 'aria-label': about, tabIndex: 0 })}>
      <table ref={table} className={css.table} aria-label={about} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {selection ? <ChoiceOfAll selection={selection} /> : null}
            {columns.map((column) => (
              <th key={column.title} scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <Rows {...inSight} columns={columns} rows={rows} keyOf={keyOf} selection={selection} />
      </table>
    </div>
  );
}

/** Whether the content is wider than its place, so that the keyboard must reach it to scroll. */
function useIsWider(place: { readonly current: HTMLElement | null }): boolean {
  const [isWider, setWider] = useState(false);
  useLayoutEffect(() => {
    const element = place.current!;
    const resized = new ResizeObserver(() => setWider(element.scrollWidth > element.clientWidth));
    resized.observe(element);
    resized.observe(element.firstElementChild!);
    return () => resized.disconnect();
  }, []);
  return isWider;
}

/** The first of the rows in sight, with some around them, and the one after the last; the last one in sight itself; and the height of what is above and below them. */
function useRowsInSight(table: { readonly current: HTMLTableElement | null }, count: number) {
  const [top, setTop] = useState(0);
  const height = useRef(ROW);
  const areCards = useAreCards();
  useLayoutEffect(() => setTop(table.current ? table.current.getBoundingClientRect().top + scrollY : 0), [count]);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => height.current,
    overscan: count > FEW ? 8 : FEW,
    rangeExtractor: wholeBlocks,
    scrollMargin: top,
  });
  // A row that is not as high as was thought moves all below it: with the right thought from the first one on, that is seldom.
  useLayoutEffect(() => {
    const measured = table.current?.querySelector<HTMLElement>('tr[data-index]')?.offsetHeight || ROW;
    if (measured === height.current) return;
    height.current = measured;
    virtual.measure();
  }, [count]);
  const shown = virtual.getVirtualItems();
  const before = shown.length > 0 ? shown[0]!.start - top : 0;
  const after = shown.length > 0 ? virtual.getTotalSize() - (shown.at(-1)!.end - top) : 0;
  return {
    from: shown[0]?.index ?? 0,
    until: (shown.at(-1)?.index ?? -1) + 1,
    before,
    after,
    last: virtual.range?.endIndex ?? 0,
    measure: areCards ? virtual.measureElement : null,
  };
}

/** So many rows come and go at once: each time, the browser lays the table out, which it need not in the frames between. */
const BLOCK = 8;

const wholeBlocks = ({ startIndex, endIndex, ...range }: Range): number[] =>
  defaultRangeExtractor({
    ...range,
    startIndex: Math.floor(startIndex / BLOCK) * BLOCK,
    endIndex: Math.min(range.count, Math.ceil((endIndex + 1) / BLOCK) * BLOCK) - 1,
  });

/** The width below which rows are cards, as the styles say it. */
const CARDS = '(max-width: 40rem)';

/** Whether each row is as high as what it says. To measure the others costs a layout with each frame of a scroll. */
function useAreCards(): boolean {
  const [areCards, setCards] = useState(false);
  useLayoutEffect(() => {
    const narrow = matchMedia(CARDS);
    const tell = (): void => setCards(narrow.matches);
    tell();
    narrow.addEventListener('change', tell);
    return () => narrow.removeEventListener('change', tell);
  }, []);
  return areCards;
}

const Space = ({ height }: { height: number }) =>
  height > 0 ? <tr className={css.space} style={{ height }} aria-hidden="true" /> : null;

type RowsProps<T> = Pick<TableProps<T>, 'columns' | 'rows' | 'keyOf' | 'selection'> &
  Omit<ReturnType<typeof useRowsInSight>, 'last'>;

function RowsOf<T>({ from, until, before, after, measure, columns, rows, keyOf, selection }: RowsProps<T>) {
  return (
    <tbody>
      <Space height={before} />
      {rows.slice(from, until).map((row, n) => {
        const key = keyOf(row);
        return (
          <Row
            key={key}
            name={key}
            at={from + n}
            row={row}
            columns={columns}
            measure={measure}
            isChosen={selection?.has(key)}
            onToggle={selection?.toggle}
          />
        );
      })}
      <Space height={after} />
    </tbody>
  );
}

/** A scroll asks for a table in each frame, and for other rows in one of three. */
const Rows = memo(RowsOf) as typeof RowsOf;

interface RowProps<T> {
  readonly name: string;
  readonly at: number;
  readonly row: T;
  readonly columns: readonly Column<T>[];
  /** Null where all rows are as high as the first. */
  readonly measure: Ref<HTMLTableRowElement>;
  /** Undefined if rows cannot be chosen. */
  readonly isChosen: boolean | undefined;
  readonly onToggle: Selection['toggle'] | undefined;
}

function RowOf<T>({ name, at, row, columns, measure, isChosen, onToggle }: RowProps<T>) {
  return (
    <tr ref={measure} data-index={at} aria-rowindex={at + 2}>
      {onToggle ? <Choice name={name} isChosen={isChosen} onToggle={onToggle} /> : null}
      {columns.map((column, n) => (
        <Cell key={column.title} column={column} isName={n === 0}>
          {column.cell(row)}
        </Cell>
      ))}
    </tr>
  );
}

/** Where rows come and go, those that stay in sight are not drawn anew. */
const Row = memo(RowOf) as typeof RowOf;

type ChoiceProps = Pick<RowProps<unknown>, 'name' | 'isChosen'> & { readonly onToggle: Selection['toggle'] };

const Choice = ({ name, isChosen, onToggle }: ChoiceProps) => (
  <td className={css.choice}>
    <input
      type="checkbox"
      aria-label="Select the row"
      checked={isChosen}
      onChange={() => undefined}
      onClick={(event: MouseEvent) => onToggle(name, event.shiftKey)}
    />
  </td>
);

const ChoiceOfAll = ({ selection: { isWhole, toggleAll } }: { selection: Selection }) => (
  <td className={css.choice}>
    <input type="checkbox" aria-label="Select all shown rows" checked={isWhole} onChange={toggleAll} />
  </td>
);

const classOf = <T,>({ isNumber, isWide, isWrapped, isFirst }: Column<T>): string =>
  classes(isNumber && css.number, isWide && css.wide, isWrapped && css.wrapped, isFirst && css.first);

interface CellProps<T> {
  readonly column: Column<T>;
  readonly isName: boolean;
  readonly children: ReactNode;
}

function Cell<T>({ column, isName, children }: CellProps<T>) {
  if (isName) {
    return (
      <th scope="row" className={classOf(column)} onPointerEnter={tellWhole}>
        {children}
      </th>
    );
  }
  return (
    <td className={classOf(column)} data-title={column.title} onPointerEnter={tellWhole}>
      {children}
    </td>
  );
}

const REST_MS = 200;

/** What is cut is said whole where the pointer rests. Asking for widths while rows pass below it would lay the page out for each of them. */
function tellWhole({ currentTarget: cell }: PointerEvent<HTMLElement>): void {
  setTimeout(() => {
    if (cell.matches(':hover')) cell.title = cell.scrollWidth > cell.clientWidth ? cell.innerText : '';
  }, REST_MS);
}
