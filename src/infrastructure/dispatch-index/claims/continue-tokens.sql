-- Continues above the highest token in the events.
select setval('lease_tokens', greatest((select last_value from lease_tokens), :last::bigint))
