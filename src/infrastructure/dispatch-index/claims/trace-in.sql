-- The trace context in the metadata of an event; null if it has none. Most have none, and are not parsed.
create function waybill_trace_in(p_meta text) returns text language sql immutable as $$
  select case when strpos(p_meta, '"traceparent"') > 0 then p_meta::json->>'traceparent' end
$$
