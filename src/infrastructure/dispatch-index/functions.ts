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
export const LANE = '(select waybill_lane(q, t.labels, t.needs) from queues q where q.name = t.queue and q.by_lanes)';

/**
 * In a statement with rows that became ready (`queue`, `lane`, `from_seq`) as made_ready: gives each lane with fair shares that has no turn its next one, from
 * now on. Under the log lock. It must not wait for a claim that is moving the turns of a lane, so it first looks whether there are any.
 */
export const BEGIN_TURNS = `insert into turns (queue, lane, needs, value, at, place)
  select n.queue, n.lane, (select waybill_turn_needs(f, n.lane) from queues f where f.name = n.queue), n.value, coalesce(s.at, (select l.at from laned l where l.queue = n.queue), 0), coalesce(s.place, min(n.first) over (partition by n.queue, n.value))
  from (
    select m.queue, m.lane, waybill_lane_turn(m.lane) as value, min(m.from_seq) as first from made_ready m
    where m.lane is not null and (select f.fair_label from queues f where f.name = m.queue) is not null
      and (select o.at from turns o where o.queue = m.queue and o.value = waybill_lane_turn(m.lane) and o.lane = m.lane) is null
    group by m.queue, m.lane) n
  left join lateral (select o.at, o.place from turns o where o.queue = n.queue and o.value = n.value limit 1) s on true`;

/** How far a turn of a value with the weight 1 moves its virtual time. All weights up to 16 divide it. */
const TURN = 720_720;

/** Lanes without tasks that a claim passes over. Each takes some 3 µs; to forget them, it holds the log. */
const MOST_EMPTY = 32;

/** Turns at one virtual time, as many as there may be values that wait. If new ones always come, those who had a turn wait for so many. */
const LONGEST_ROUND = 100_000;

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
  BEGIN_TURNS,
  TURN,
  MOST_EMPTY,
  LONGEST_ROUND,
  ...TASK_ROW_PARTS,
  PLACED: json(PLACED),
});

function json(value: object): string {
  return `'${JSON.stringify(value)}'::jsonb`;
}
