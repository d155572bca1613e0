import type { Need } from '../app/may.js';
import { useMay } from '../app/me.js';
import { useMoment } from '../time/moment.js';
import type { Column } from '../ui/table.js';

/** Tells which commands are offered: what the person may do, and none in the past, which nobody changes. */
export function useOffer(): (need: Need) => boolean {
  const may = useMay();
  const isPast = useMoment() !== undefined;
  return (need) => !isPast && may(need);
}

/** Of a table with a column of commands: without it, where none is offered. */
export function useOffered<Row>(columns: readonly Column<Row>[], queue?: string): readonly Column<Row>[] {
  return useOffer()({ permission: 'operate', queue }) ? columns : columns.filter(({ title }) => title !== 'Actions');
}
