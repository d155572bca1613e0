import { BATCH_COMMANDS } from '../../domain/batch/batch.commands.js';
import { BATCH_STATUSES } from '../../domain/batch/batch.events.js';
import { OPEN_STATUSES } from '../../domain/task/task.events.js';
import { LINEAGE_KINDS } from '../../projections/lineage/lineage-kinds.js';
import { isHeldBack } from './legal-holds.js';
import { type ErasureSubject, MESSAGE_QUEUES } from '../../application/erasures/erasures.port.js';

/** Which tasks and batches are of a subject, and which rows of the outbox. */
export interface Condition {
  readonly ofTasks: string;
  /** Absent: none. */
  readonly ofBatches?: string;
  readonly ofOutbox: string;
  readonly values: readonly string[];
  /** Also the tasks that triggers made of events of these tasks, whatever their queue. */
  readonly triggered: boolean;
}

/** `first`: the number of its first parameter. */
export function conditionOf(subject: ErasureSubject, first: number): Condition {
  return { ...ownedBy(subject, `$${first}`, `$${first + 1}`), triggered: !('ended' in subject) };
}

function ownedBy(subject: ErasureSubject, one: string, other: string): Omit<Condition, 'triggered'> {
  if ('ended' in subject) return endedOf(subject.ended, one, other);
  if ('task' in subject)
    return { ofTasks: `task_id = ${one}::uuid`, ofOutbox: `id = ${one}::uuid`, values: [subject.task] };
  if ('key' in subject) {
    const text = `queue = ${one} and key = ${other}`;
    return { ofTasks: text, ofOutbox: text, values: [subject.key.queue, subject.key.key] };
  }
  const text = `labels @> jsonb_build_object(${one}::text, ${other}::text)`;
  return { ofTasks: text, ofBatches: text, ofOutbox: text, values: [subject.label.name, subject.label.value] };
}

/** The parameter behind those of the condition, the first of which is `first`. */
const ordersAfter = ({ values }: Condition, first: number): string => `$${first + values.length}`;

/** Which of these texts ($1) are the subject's own: a key or a reference of its tasks. The condition begins at $2. */
export const ownTextsOf = ({
  ofTasks,
}: Condition): string => `with mine as (select key, reference from known_tasks t where ${ofTasks})
  select key as text from mine where key = any ($1) union select reference from mine where reference = any ($1)`;

type EndedTasks = Extract<ErasureSubject, { readonly ended: unknown }>['ended'];

/** A failed task may block its key, so it has not ended for good. */
function endedOf({ queue, before }: EndedTasks, one: string, other: string): Omit<Condition, 'triggered'> {
  const time = 'at' in before ? `${other}::timestamptz` : `now() - ${other}::float8 * interval '1 millisecond'`;
  return {
    ofTasks: `queue = ${one} and finished_at < ${time} and state <> all (${OPEN}) and (state <> 'failed' or key is null)
    and not exists (select from erasure_items e where e.id = t.task_id and e.outcome in ('ERASED', 'STORED_WHOLE'))
    and not ${isHeldBack('t.labels')}`,
    ofOutbox: `queue = ${one} and refused_at < ${time}`,
    values: [queue, 'at' in before ? before.at.toISOString() : String(before.ago)],
  };
}

const OPEN = `'{${OPEN_STATUSES.join(', ')}}'`;

const OPEN_BATCH = `'{${BATCH_STATUSES.filter((status) => !BATCH_COMMANDS.EraseBatch.includes(status)).join(', ')}}'`;

const MESSAGES = MESSAGE_QUEUES.map((name) => `'${name}'`).join(', ');

const TRIGGER = LINEAGE_KINDS.indexOf('trigger');

/** The mail and webhooks that tell of what has one of these ids and, if so, the tasks that triggers made of its events. */
const toldOf = (ids: string, triggered: string): string => `select t.task_id as id, t.state, t.key, t.labels
  from lineage l join known_tasks t on t.task_id = l.effect
  where l.cause in (${ids}) and (t.queue in (${MESSAGES}) or ${triggered} and l.kind = ${TRIGGER})`;

/** Operations that somebody named the subject in. */
const namedIn = (orders: string): string =>
  `select t.task_id as id, t.state, t.key, t.labels from known_tasks t where t.task_id = any (${orders}::uuid[])`;

/**
 * `items`: the tasks and batches of a subject, the deliveries that came of them and of the batches of the tasks, what triggers made of them, operations that name
 * the subject, and refused rows of the outbox. `orders`: the parameter with the ids of these operations.
 */
const itemsOf = ({ ofTasks, ofBatches = 'false', ofOutbox, triggered }: Condition, orders: string): string => `with
  mine as (select task_id as id, state, key, labels, batch from known_tasks t where ${ofTasks}),
  grouped as (select id, state, labels from batches where ${ofBatches}),
  items as (select 'task' as kind, id, state, key, labels from mine
    union select 'task', id, state, key, labels from (${toldOf('select id from mine union select batch from mine where batch is not null union select id from grouped', String(triggered))}) d
    union select 'task', id, state, key, labels from (${namedIn(orders)}) o
    union select 'batch', id, state, null, labels from grouped
    union select 'outbox', id, null, null, labels from waybill_outbox where refusal is not null and ${ofOutbox})`;

/** What the subject has, and what of it an erasure would refuse. */
export const outlookOf = (condition: Condition): string => `${itemsOf(condition, ordersAfter(condition, 1))}
  select count(*) filter (where kind = 'task')::int as tasks, count(*) filter (where kind = 'batch')::int as batches,
    count(*) filter (where kind = 'outbox')::int as outbox,
    count(*) filter (where case kind when 'task' then state = any (${OPEN}) or state = 'failed' and key is not null
      when 'batch' then state = any (${OPEN_BATCH}) end)::int as open from items`;

/** The first legal hold that covers something of the subject. */
export const forbiddenOf = (condition: Condition): string => `${itemsOf(condition, ordersAfter(condition, 1))}
  select h.name as hold, h.placed_by as by, h.reason from holds h
  where h.forbids_erasure and h.state = 'placed' and exists (select from items where labels @> h.labels) order by h.name limit 1`;

/** $1: the order. Of one that may be placed again, such as an expiry, they are kept once. */
export const keptOf = (condition: Condition): string => `${itemsOf(condition, ordersAfter(condition, 2))}
  insert into erasure_items (erasure, kind, id) select $1, kind, id from items on conflict do nothing`;

/** $1: the order. $2: whether what triggers made counts. What came of its tasks after it, or because they were aborted. */
export const TOLD_SINCE = `insert into erasure_items (erasure, kind, id) select $1, 'task', id
  from (${toldOf(
    `select i.id from erasure_items i where i.erasure = $1 union
    select t.batch from erasure_items i join known_tasks t on t.task_id = i.id where i.erasure = $1 and t.batch is not null`,
    '$2',
  )}) d
  on conflict do nothing`;

/** $1: the order. $2: the kind. $3: the id of the last one; null at first. $4: how many. */
export const REMAINING = `select id from erasure_items where erasure = $1 and kind = $2 and outcome is null and ($3::uuid is null or id > $3)
  order by id limit $4`;

/** $1: the order. $2: the kind. $3: the id. $4: the code. */
export const REFUSE = `update erasure_items set outcome = $4 where erasure = $1 and kind = $2 and id = $3`;

/** $1: the order. A row that was let go since is a task by now, or soon, which is younger than the order. */
export const OUTBOX = [
  `update erasure_items e set outcome = 'ERASURE_FORBIDDEN' from waybill_outbox o
    where e.erasure = $1 and e.kind = 'outbox' and o.id = e.id and e.outcome is null and ${isHeldBack('o.labels')}`,
  `update failing_items f set error = '(erased)' from erasure_items e
    where e.erasure = $1 and e.kind = 'outbox' and e.outcome is null and f.item = e.id::text`,
  `with gone as (delete from waybill_outbox o using erasure_items e
      where e.erasure = $1 and e.kind = 'outbox' and e.outcome is null and o.id = e.id and o.refusal is not null returning o.id)
    update erasure_items e set outcome = 'ERASED' from gone where e.erasure = $1 and e.kind = 'outbox' and e.id = gone.id`,
];

/**
 * $1: the order. A request has no salt, so anybody could check a guess of it by its hash. Of one for several tasks, all keys have the same.
 * Reads the keys of a day once an order, because an index by streams would cost each request more. The service's own keys have no hash.
 */
export const REQUESTS = `update idempotency_keys set fingerprint = '' where fingerprint ~ '^[0-9a-f]{64}$' and key in (
  select k.key from idempotency_keys k
    cross join lateral (select k.stream union all select 'task-' || (a.value->>0)
      from jsonb_array_elements(case when jsonb_typeof(k.answer) = 'array' then k.answer end) a) s(stream)
    join erasure_items e on s.stream = e.kind || '-' || e.id
  where e.erasure = $1 and e.outcome in ('ERASED', 'ALREADY_ERASED'))`;

/** $1: the tasks. */
export const LANES = 'select waybill_erase_lanes($1)';

/** Erases texts of what went wrong with tasks. $1: the tasks. $2: the positions of their events. */
export const TEXTS = `with unread as (update quarantined set error = '(erased)' where task_id = any ($1::uuid[])),
  failing as (update failing_items set error = '(erased)' where item = any ($1::uuid[]::text[])),
  targets as (update delivery_targets set error = '(erased)' where error is not null and target in (
    select t.labels->>'target' from known_tasks t where t.task_id = any ($1::uuid[]) and t.queue in (${MESSAGES})))
  update events_put_aside set error = '(erased)' where error is not null and position = any ($2::bigint[])`;

/** $1: the order. $2: what was erased, with the positions of the events that say so, and their orders. $3: the halves that were erased now. $4: the kind. */
export const ERASED = `update erasure_items e set outcome = case when o.erasure = e.erasure then 'ERASED' else 'ALREADY_ERASED' end, position = o.position, halves = e.halves + coalesce((select r.halves from jsonb_to_recordset($3) as r(stream uuid, halves int)
  where r.stream = e.id), 0) from jsonb_to_recordset($2) as o(id uuid, position bigint, erasure uuid) where e.erasure = $1 and e.kind = $4 and e.id = o.id`;

export const REFUSED = `select outcome as code, kind, count(*)::int as items, (array_agg(id order by id))[1:10] as first from erasure_items
  where erasure = $1 and outcome not in ('ERASED', 'ALREADY_ERASED') group by outcome, kind order by outcome, kind`;

const ofKind = (kind: string): string => `count(*) filter (where kind = '${kind}' and outcome = 'ERASED')::int`;

export const TOTAL = `select ${ofKind('task')} as erased, ${ofKind('batch')} as batches, ${ofKind('outbox')} as outbox,
  count(*) filter (where outcome = 'ALREADY_ERASED')::int as "alreadyErased", coalesce(sum(halves), 0)::int as halves
  from erasure_items where erasure = $1`;
