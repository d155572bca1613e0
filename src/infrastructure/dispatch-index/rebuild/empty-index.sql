-- Keeps the old leases aside, for their secrets and for claims whose events are still to be recorded.
create temp table old_leases on commit drop as select * from task_leases;
-- And what appends in progress name.
create temp table reserved_prerequisites on commit drop as select * from prerequisites where reservation is not null;
-- And which tasks are in the archive, which no event says.
create temp table archived on commit drop as select archived_at, task_id from tasks_archive;
truncate :TABLES
