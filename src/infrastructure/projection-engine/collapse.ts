import type { LogSegment } from '../../application/kernel/log-segment.js';
import type { RowChange } from '../../projections/kernel/row-change.js';
import type { Table } from '../../projections/kernel/table.js';
import { addTo, type Sum, sumOf } from './sums.js';

/** The net change of a batch to one row. `position` is that of its last event. */
export interface NetChange {
  readonly change: RowChange;
  readonly position: bigint;
}

/**
 * The net change of a row, with its last event as a place in a segment. Computing a position for every event cost more
 * than the rest.
 */
interface Net {
  change: RowChange;
  segment: LogSegment;
  index: number;
}

/** Collapses the changes of a batch into one per row, by table. */
export class Collapse {
  private readonly tables = new Map<Table, Map<string, Net>>();

  /** Adds what `times` events do to a row, each the same. The last one is at `index`. */
  add(change: RowChange, segment: LogSegment, index: number, times = 1): void {
    const rows = this.rowsOf(change.table);
    const key = keyOf(change);
    const net = rows.get(key);
    if (!net) rows.set(key, { change: change.kind === 'increment' ? sumOf(change, times) : change, segment, index });
    else {
      net.change = merge(net.change, change, times);
      net.segment = segment;
      net.index = index;
    }
  }

  *byTable(): Iterable<readonly [Table, readonly NetChange[]]> {
    for (const [table, rows] of this.tables) yield [table, [...rows.values()].map(netChange)];
  }

  private rowsOf(table: Table): Map<string, Net> {
    let rows = this.tables.get(table);
    if (!rows) this.tables.set(table, (rows = new Map<string, Net>()));
    return rows;
  }
}

const netChange = ({ change, segment, index }: Net): NetChange => ({ change, position: segment.positionAt(index) });

function keyOf({ table, key }: RowChange): string {
  let text = '';
  for (const name in table.key) text += `${String(key[name])}\u0000`;
  return text;
}

/** Only what counts differs by how often it happens. */
function merge(earlier: RowChange, later: RowChange, times: number): RowChange {
  if (earlier.kind === 'increment' && later.kind === 'increment') {
    addTo(earlier as Sum, later, times); // what is kept here began as a sum
    return earlier;
  }
  if (earlier.kind === 'increment' || later.kind === 'increment') throw bothKinds(later.table);
  if (later.kind !== 'patch') return later;
  if (earlier.kind === 'upsert') return { ...earlier, row: { ...earlier.row, ...later.set } };
  if (earlier.kind === 'patch') return { ...earlier, set: { ...earlier.set, ...later.set } };
  return earlier; // a patch of a deleted row
}

const bothKinds = ({ name }: Table): Error =>
  new Error(`Expected table '${name}' either to count or to be replaced, but its changes do both`);
