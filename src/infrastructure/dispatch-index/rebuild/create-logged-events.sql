create temp table logged_events (like events) on commit drop;
create index on pg_temp.logged_events (stream, revision)
