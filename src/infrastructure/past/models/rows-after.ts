import type { EventReads } from '../../../application/kernel/event-store.port.js';
import { type LogSegment, partUpTo } from '../../../application/kernel/log-segment.js';
import type { DomainEvent } from '../../../domain/kernel/decider.js';
import {
  type AnyRule,
  needsPrivate,
  type Occurrence,
  type Projection,
  ruleFor,
} from '../../../projections/kernel/projection.js';
import type { ModelRow } from '../../../projections/kernel/rows-then.port.js';
import type { Table } from '../../../projections/kernel/table.js';
import { Collapse } from '../../projection-engine/collapse.js';
import type { Sum } from '../../projection-engine/sums.js';
import { eachReadable } from '../moving-segments.js';
import { partsOf } from '../snapshots/moves.js';

/** The rows of a model as of a position. */
export interface RowsAt {
  readonly position: bigint;
  readonly rows: readonly ModelRow[];
}

/** As of the last event that was looked at. */
export interface Counted extends RowsAt {
  /** When that event was recorded; null if there was none. */
  readonly recordedAt: string | null;
}

/** The rows of the model's first table as of a position: those as of an earlier one, and what the events in between add to them. */
export async function rowsAfter(
  log: Pick<EventReads, 'readSegments'>,
  model: Projection<never>,
  base: RowsAt,
  upTo: bigint,
): Promise<Counted> {
  const net = new Collapse();
  let last: LogSegment | null = null;
  for await (const segments of partsOf(log, base.position, needsPrivate(model))) {
    for (const segment of segments) {
      const part = partUpTo(segment, upTo);
      if (part.size > 0) add(model, (last = part), net);
    }
    if (segments.at(-1)!.position >= upTo) break;
  }
  const { position, recordedAt } = last ?? { position: base.position, recordedAt: null };
  return { position, recordedAt, rows: rowsWith(base.rows, net, model.tables[0]!) };
}

function add(model: Projection<never>, segment: LogSegment, net: Collapse): void {
  const rule: AnyRule | null = ruleFor(model, segment);
  if (rule === null) return;
  eachReadable(segment, (event, _, at) => {
    for (const change of rule(new Place(segment, at, event)))
      if (change.table === model.tables[0]) net.add(change, segment, at);
  });
}

/** Computes a position only for a rule that reads it, because that costs more than the rest. */
class Place implements Occurrence {
  constructor(
    private readonly segment: LogSegment,
    private readonly at: number,
    readonly event: DomainEvent,
  ) {}

  get recordedAt(): string {
    return this.segment.recordedAt;
  }

  get stream(): string {
    return this.segment.streams[this.at]!;
  }

  get position(): bigint {
    return this.segment.positionAt(this.at);
  }
}

function rowsWith(before: readonly ModelRow[], net: Collapse, table: Table): readonly ModelRow[] {
  const keyOf = (row: Readonly<Record<string, unknown>>): string =>
    Object.keys(table.key)
      .map((name) => String(row[name]))
      .join('\0');
  const rows = new Map(before.map((row) => [keyOf(row), row]));
  for (const [, changes] of net.byTable())
    for (const { change } of changes) {
      const key = keyOf(change.key);
      rows.set(key, rowWith(rows.get(key) ?? { ...emptyRow(table), ...(change.key as ModelRow) }, change as Sum));
    }
  return [...rows.values()];
}

/** A row begins as the writer of the table begins it: counts at zero, and everything else as null. */
const emptyRow = (table: Table): ModelRow =>
  Object.fromEntries(
    Object.entries(table.columns).map(([name, type]) => [name, type === 'bigint' || type === 'int' ? 0 : null]),
  );

function rowWith(row: ModelRow, { add: adds, greatest, least, latest }: Sum): ModelRow {
  const after: Record<string, string | number | null> = { ...row };
  for (const name in adds) after[name] = Number(after[name]) + adds[name]!;
  for (const name in greatest) if (isLess(after[name]!, greatest[name]!)) after[name] = greatest[name]!;
  for (const name in least) if (after[name] === null || isLess(least[name]!, after[name]!)) after[name] = least[name]!;
  for (const name in latest) after[name] = latest[name] as string;
  return after;
}

const isLess = (one: string | number | null, other: string | number): boolean => one === null || one < other;
