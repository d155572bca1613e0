-- What reports and dashboards of others build on: documented views with versions, in a schema of their own. A view keeps its columns; what would
-- change one gets the next version. They see neither payloads, results and data nor messages of errors. The rights on them are the owner's
-- to give: a role that may use the schema and read the views needs no others.
--
-- Run anew after every switch of a read model, because a view stays with the table that it was made of, whatever that is called by then.
create schema if not exists waybill_read;

create or replace view waybill_read.queues_v1 as
  select q.name as queue, q.name like 'waybill.%' as internal, q.status as state, q.intake_open, q.description,
    coalesce(s.prepared, 0) as prepared, coalesce(s.pending, 0) as pending, coalesce(s.held, 0) as held, coalesce(s.running, 0) as running,
    coalesce(s.undecided, 0) as undecided, coalesce(s.failed, 0) as failed, coalesce(s.succeeded, 0) as succeeded,
    coalesce(s.cancelled, 0) as cancelled, coalesce(s.aborted, 0) as aborted, coalesce(s.superseded, 0) as superseded,
    coalesce(s.deleted, 0) as deleted, coalesce(s.deadlines_missed, 0) as deadlines_missed,
    coalesce(s.waited_count, 0) as claims, coalesce(s.waited_total_ms, 0) / 1000.0::float8 as wait_seconds,
    coalesce(s.ran_count, 0) as attempts, coalesce(s.ran_total_ms, 0) / 1000.0::float8 as run_seconds
  from queues q left join queue_stats s on s.queue = q.name where q.status <> 'deleted';

create or replace view waybill_read.queue_minutes_v1 as
  select queue, at, enqueued, claimed, succeeded,
    failed_business + failed_application + failed_transient + failed_bug + failed_lost + failed_timeout + failed_expired as failed,
    failed_business, failed_application, failed_transient, failed_bug, failed_lost, failed_timeout, failed_expired,
    retried, lost, backlog as backlog_change, waited_total_ms / 1000.0::float8 as wait_seconds, waited_max_ms / 1000.0::float8 as longest_wait_seconds,
    ran_total_ms / 1000.0::float8 as run_seconds, ran_max_ms / 1000.0::float8 as longest_run_seconds
  from queue_minutes;

create or replace view waybill_read.queue_hours_v1 as
  select queue, at, enqueued, claimed, succeeded,
    failed_business + failed_application + failed_transient + failed_bug + failed_lost + failed_timeout + failed_expired as failed,
    failed_business, failed_application, failed_transient, failed_bug, failed_lost, failed_timeout, failed_expired,
    retried, lost, backlog as backlog_change, waited_total_ms / 1000.0::float8 as wait_seconds, waited_max_ms / 1000.0::float8 as longest_wait_seconds,
    ran_total_ms / 1000.0::float8 as run_seconds, ran_max_ms / 1000.0::float8 as longest_run_seconds
  from queue_hours;

create or replace view waybill_read.tasks_v1 as
  select task_id as id, queue, state, kind, key, reference, labels, priority, batch, enqueued_at, due_at, expires_at, deadline_at,
    missed as deadline_missed, started_at, finished_at, attempt, retries, worker, case when entered then step end as step, last_step, error_class,
    archived_at
  from known_tasks;

create or replace view waybill_read.batches_v1 as
  select id, name, labels, state, created_at, ended_at, total, open, succeeded, failed, aborted, deleted from batches;

create or replace view waybill_read.workers_v1 as
  select worker, queue, server, build, first_seen as first_seen_at, last_seen as last_seen_at, claimed, running, succeeded, failed, lost, returned
  from worker_roster;

create or replace view waybill_read.failure_groups_v1 as
  select group_id as "group", class, state, attempts, tasks, first_at as first_seen_at, last_at as last_seen_at, returns
  from failure_groups where attempts > 0;
