-- The next token is above the last one of the events, too.
select setval('lease_tokens', greatest((select last_value from lease_tokens), :last::bigint))
