-- The database decides who left a row, whatever the producer says and however the row was written: the login, followed
-- by the actor that the login says it acts for. No API key's name contains a slash, and no unquoted login a colon, so
-- nobody can pass for another one.
create or replace function waybill.name_actor() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  v_login text := case when session_user ~ '^[A-Za-z0-9_.-]+$' then session_user::text else quote_ident(session_user) end;
begin
  if new.actor is distinct from '' then
    new.actor := concat_ws(':', 'postgres/' || v_login, nullif(new.actor, session_user));
  end if;
  return new;
end $$;

do $install$ begin
  -- Created only once, because creating it waits for producers that have not committed yet, and later ones wait for it.
  if not exists (select from pg_trigger where tgname = 'waybill_outbox_actor' and tgrelid = to_regclass('waybill_outbox')) then
    create trigger waybill_outbox_actor before insert or update of actor on waybill_outbox
      for each row execute function waybill.name_actor();
  end if;
end $install$
