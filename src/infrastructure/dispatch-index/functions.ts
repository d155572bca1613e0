import { functionsBeside } from '../database/sql.js';
import { AFTER_SUCCESS, CHANGING_COLUMNS } from '../../projections/kernel/rows/task-row.js';
import { PLACED } from './changes/index-change.js';
import { TASK_ROW } from './insert-task-rows.js';
import { TASK_RECORDS } from './task-records.js';

/**
 * Edges of the graph: some 0.2 s in which nobody else can append, and enough for one look for a cycle to try both directions. All requests
 * of an append visit less than twice as many.
 */
const MOST_VISITS = 20_000;

/** In a statement with the task's row as t: its lane in its queue; null if that tells tasks apart by nothing. */
export const LANE = '(select waybill_lane(q, t.labels) from queues q where q.name = t.queue and q.by_lanes)';

const CHANGING = Object.entries(CHANGING_COLUMNS);

/** What the functions say of every column of a task's row. */
const TASK_ROW_PARTS = {
  CHANGING: CHANGING.map(([name]) => name).join(', '),
  NEW_VALUES: CHANGING.map(([name]) => `v_new.${name}`).join(', '),
  NEW_FLAGS: json(Object.fromEntries(CHANGING.flatMap(([name, type]) => (type === 'bool' ? [[name, false]] : [])))),
  AFTER_SUCCESS: Object.entries(AFTER_SUCCESS)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', '),
};

/** The types of what these functions take, and of a row. */
export const DISPATCH_INDEX_TYPES: readonly string[] = [TASK_ROW, ...TASK_RECORDS].map(({ create }) => create);

/**
 * The functions of the dispatch index, in a folder for each part. All except the picks must be called under the log
 * lock.
 */
export const DISPATCH_INDEX_FUNCTIONS: readonly string[] = functionsBeside(import.meta.url, {
  MOST_VISITS,
  LANE,
  ...TASK_ROW_PARTS,
  PLACED: json(PLACED),
});

function json(value: object): string {
  return `'${JSON.stringify(value)}'::jsonb`;
}
