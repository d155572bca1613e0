import { isInternal } from '../../kernel/internal-queues.js';

/**
 * Each takes `$1`, the queues (null: all but those of the service itself), and `$2`, how a value begins, and reads a bounded number of rows:
 * what exists, but is in none of them, is not suggested.
 */
const MOST_TASKS = 2_000;
const MOST_QUEUES = 10_000;
const MOST_ROWS = 10_000;
/** Queues into which one statement looks for their latest tasks. */
const QUEUES_LOOKED_INTO = 50;
const SHOWN = 20;

const isOf = (queue: string): string => `($1::text[] is null or ${queue} = any ($1)) and not ${isInternal(queue)}`;

const begins = (value: string): string => `starts_with(lower(${value}), lower($2))`;

/** The latest tasks of all queues, or of the first ones that are asked for. Ids of Waybill's making have the order of time. */
const RECENT = `recent as (
  select t.* from (select name from unnest($1::text[]) name limit ${QUEUES_LOOKED_INTO}) q cross join lateral (
    select queue, kind, labels, worker from tasks where queue = q.name
    order by task_id desc limit ${MOST_TASKS} / least(cardinality($1::text[]), ${QUEUES_LOOKED_INTO})) t
  union all
  select * from (select queue, kind, labels, worker from tasks where $1::text[] is null order by task_id desc limit ${MOST_TASKS}) t)`;

const often = (values: string): string =>
  `with ${RECENT} select value as text from (${values}) found where ${begins('value')} group by value order by count(*) desc, value limit ${SHOWN}`;

export const KINDS = often(`select kind as value from recent where ${isOf('queue')}`);

/** Those of the latest tasks, and those that ask for some. */
export const WORKERS = often(`
  select worker as value from recent where worker is not null and ${isOf('queue')}
  union all select worker from (select worker, queue from worker_presence limit ${MOST_ROWS}) p where ${isOf('queue')}`);

export const LABELS = often(`select jsonb_object_keys(labels) as value from recent where ${isOf('queue')}`);

/** `$3`: the name of the label. */
export const LABEL_VALUES = often(`select labels->>$3 as value from recent where labels ? $3 and ${isOf('queue')}`);

const SOME_QUEUES = `(select name, description, policy from queues where ${isOf('name')} order by name limit ${MOST_QUEUES}) q`;

export const QUEUES = `select name as text, nullif(description, '') as about from ${SOME_QUEUES} where ${begins('name')} order by name limit ${SHOWN}`;

const ofPolicies = (values: string): string =>
  `select value as text from (select distinct ${values} as value from ${SOME_QUEUES}) found where ${begins('value')} order by value limit ${SHOWN}`;

/** The paths by which queues are searched. */
export const PATHS = ofPolicies(`jsonb_array_elements_text(policy->'search')`);

export const STEPS = `select distinct value as text from (
    select case jsonb_typeof(step) when 'string' then step #>> '{}' else step->>'name' end as value
    from (select jsonb_array_elements(policy->'steps') as step from ${SOME_QUEUES}) s) found
  where ${begins('value')} order by text limit ${SHOWN}`;

/** The latest that workers ran. */
export const BUILDS = `select build as text from (select queue, build, last_at from worker_builds order by last_at desc limit ${MOST_ROWS}) b
  where ${isOf('queue')} and ${begins('build')} group by build order by max(last_at) desc, build limit ${SHOWN}`;

/** The groups that failed last, and the newest failure of each in the queues. */
export const GROUPS = `
  select group_id as "group", (array_agg(last_task order by position desc))[1] as "lastTask", max(position)::text as position from (
    select f.* from (select name from unnest($1::text[]) name limit ${QUEUES_LOOKED_INTO}) q cross join lateral (
      select * from failure_group_queues where queue = q.name and last_at is not null order by last_at desc limit ${SHOWN}) f
    union all
    select f.* from (select group_id from failure_groups where $1::text[] is null and last_at is not null order by last_at desc limit ${SHOWN}) g
      join failure_group_queues f using (group_id)) found
  where ${isOf('queue')} and last_task is not null group by group_id order by max(position) desc limit ${SHOWN}`;
