-- When something is to be done about the tasks that have time limits.
update tasks t set alarm_at = waybill_alarm(t)
  where t.expires_at is not null or t.deadline_at is not null or t.run_until is not null
