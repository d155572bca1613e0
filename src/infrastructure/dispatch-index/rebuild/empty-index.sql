-- Old leases are kept aside: for their secrets, and for claims that are still to be recorded.
create temp table old_leases on commit drop as select * from leases;
truncate :TABLES
