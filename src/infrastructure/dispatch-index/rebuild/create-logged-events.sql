create temp table logged_events (like events) on commit drop;
create index on pg_temp.logged_events (stream, revision);
-- For the streams that are not tasks', which are few beside them.
create index on pg_temp.logged_events (stream, revision) where category <> 'task'
