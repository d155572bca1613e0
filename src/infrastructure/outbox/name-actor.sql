-- Who left a row is the database's word, whatever its producer says and by whichever way it comes: the login, and behind it in whose name
-- that says to act. No API key has a name with a slash, and no login a colon outside of quotes: nobody is taken for another one.
create or replace function waybill.name_actor() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  v_login text := case when session_user ~ '^[A-Za-z0-9_.-]+$' then session_user::text else quote_ident(session_user) end;
begin
  if new.actor is distinct from '' then
    new.actor := concat_ws(':', 'postgres/' || v_login, nullif(new.actor, session_user));
  end if;
  return new;
end $$
