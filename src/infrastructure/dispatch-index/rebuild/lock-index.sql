-- Waits for the current claims to end, then for the appends, then for the readers.
set local lock_timeout = :TRY_MS;
select pg_advisory_xact_lock(:CLAIMS_LOCK);
select pg_advisory_xact_lock(:LOG_LOCK);
lock table :TABLES in access exclusive mode;
set local lock_timeout = 0
