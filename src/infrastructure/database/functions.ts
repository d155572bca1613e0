import { createHash } from 'node:crypto';
import type pg from 'pg';

const INSTALLED = `select obj_description(p.oid, 'pg_proc') as version from pg_proc p
  where p.proname = 'waybill_append' and p.pronamespace = current_schema()::regnamespace`;

const DROP = `do $$ declare f record; begin
  for f in select p.oid::regprocedure as name from pg_proc p
    where p.proname like 'waybill\\_%' and p.pronamespace = current_schema()::regnamespace
  loop execute 'drop function ' || f.name; end loop;
  for f in select t.oid::regtype as name from pg_type t join pg_class c on c.oid = t.typrelid and c.relkind = 'c'
    where t.typname like 'waybill\\_%' and t.typnamespace = current_schema()::regnamespace
  loop execute 'drop type ' || f.name; end loop;
end $$`;

/**
 * Installs the given functions and their parameter types, in order, and drops all others. Returns true if that changed
 * anything. One transaction does it all, so that no process sees half of them. A running process of another version
 * fails from then on, so stop it first.
 *
 * The functions belong to the program, not to the data. Migrations change tables only.
 */
export async function installFunctions(client: pg.Client, functions: readonly string[]): Promise<boolean> {
  const text = functions.join(';\n');
  const version = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const { rows } = await client.query<{ version: string | null }>(INSTALLED);
  if (rows[0]?.version === version) return false;
  await client.query(`begin; ${DROP}; ${text}; comment on function waybill_append is '${version}'; commit`);
  return true;
}
