import type pg from 'pg';
import type { Build } from './build.js';
import { assertOnlyWaybill } from './only-waybill.js';
import { SchemaError } from './schema-error.js';
import { isUpToDate } from './schema-version.js';

interface Standing {
  readonly role: string;
  /** Whom the tables belong to or, if they are the role's, the functions that applications call; null if there are none. */
  readonly owner: string | null;
  /** Where the tables would be created; null if the role may use no schema of its search path. */
  readonly schema: string | null;
  readonly path: string;
  /** What keeps the role from changing the schema; null if nothing does. */
  readonly lacks: string | null;
}

/** What applications call (`waybill.enqueue`) is replaced by each build, which only its owner may. */
const STANDING = `select current_user as role, current_schema() as schema, current_setting('search_path') as path,
  pg_get_userbyid(case when pg_has_role(t.relowner, 'usage') then f.proowner else t.relowner end) as owner, case
    when not has_schema_privilege(current_schema(), 'create') then format('it may not create in schema %I', current_schema())
    when not has_database_privilege(current_database(), 'create') then format('it may not create schemas in database %I', current_database())
    when not pg_has_role(t.relowner, 'usage') then format('the tables belong to %I', pg_get_userbyid(t.relowner))
    when not has_schema_privilege(to_regnamespace('waybill'), 'create') then 'it may not create in schema waybill'
    when not pg_has_role(f.proowner, 'usage') then format('function waybill.enqueue belongs to %I', pg_get_userbyid(f.proowner))
  end as lacks
  from (select) as one left join pg_class t on t.oid = to_regclass('schema_versions')
    left join lateral (select proowner from pg_proc where pronamespace = to_regnamespace('waybill') and proname = 'enqueue' limit 1) f on true`;

/**
 * Whether the role may change the schema. If it may not, throws `SchemaError` unless there is nothing to change, and
 * the role has every right that the service needs.
 */
export async function mayMigrate(client: pg.Client, build: Build): Promise<boolean> {
  const { rows } = await client.query<Standing>(STANDING);
  const standing = rows[0]!;
  if (standing.schema === null) throw seesNoSchema(standing);
  if (standing.lacks === null) return true;
  const missing = await missingRights(client, build);
  if (missing.length > 0) throw lacksRights(standing, missing);
  if (await isUpToDate(client, build)) return false;
  await assertOnlyWaybill(client);
  throw cannotMigrate(standing);
}

const ON_TABLES = 'select, insert, update, delete';
const ON_SEQUENCES = 'select, usage, update';

/**
 * Each part of the list is what one statement grants: a text of `grant` without the role. Views are only read. Everybody may use the functions,
 * unless somebody has revoked that, or has restored a dump without its grants.
 */
const MISSING = `select missing from (
  select 0 as place, name, format('%s on %s %I', string_agg(r, ', ' order by at), case when kind = 'S' then 'sequence' else 'table' end, name) as missing
  from (select c.oid, c.relname as name, c.relkind as kind from unnest($1::text[]) as n join pg_class c on c.oid = to_regclass(n)) as relation
    cross join lateral regexp_split_to_table(case kind when 'S' then '${ON_SEQUENCES}' when 'v' then 'select' else '${ON_TABLES}' end, ', ')
      with ordinality as rights (r, at)
  where not case when kind = 'S' then has_sequence_privilege(oid, r) else has_table_privilege(oid, r) end
  group by kind, name
  union all select 1, '', format('usage on schema %I', nspname) from pg_namespace where nspname = $2 and not has_schema_privilege(oid, 'usage')
  union all select 2, '', format('execute on all functions in schema %I', $2::text)
  where exists (select from pg_proc where pronamespace = to_regnamespace($2) and not has_function_privilege(oid, 'execute'))) as parts
order by place, name`;

async function missingRights(client: pg.Client, build: Build): Promise<readonly string[]> {
  const { rows } = await client.query<{ missing: string }>(MISSING, [build.relations, build.schema]);
  return rows.map(({ missing }) => missing);
}

/** What the owner grants to a role that runs the service but must not change the schema. */
export async function grantsFor(client: pg.Client, build: Build, role: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ statement: string }>(GRANTS, [build.relations, role, build.schema]);
  return rows.map(({ statement }) => statement);
}

const GRANTS = `select format('grant usage on schema %I to %I;', current_schema(), $2::text) as statement
  union all select format('grant %s on %s %s.%I to %I;',
    case relkind when 'S' then '${ON_SEQUENCES}' when 'v' then 'select' else '${ON_TABLES}' end,
    case relkind when 'S' then 'sequence' else 'table' end, relnamespace::regnamespace::text, relname, $2::text)
  from unnest($1::text[]) as n join pg_class c on c.oid = to_regclass(n)
  union all select format('grant %s schema %I to %I;', r, $3::text, $2::text) from unnest(array['usage on', 'execute on all functions in']) as r`;

const MOST_NAMED = 3;

function lacksRights({ role }: Standing, missing: readonly string[]): SchemaError {
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '';
  return new SchemaError(
    `Expected role '${role}' to have the rights that the service needs, but it lacks ${missing.slice(0, MOST_NAMED).join('; ')}${more}; 'waybill migrate --print-grants ${role}' lists the grants.`,
  );
}

const seesNoSchema = ({ role, path }: Standing): SchemaError =>
  new SchemaError(
    `Expected role '${role}' to use a schema of its search path, but it may use none of ${path === '' ? 'an empty one' : path}; grant it usage on the schema of the tables ('waybill migrate --print-grants ${role}' lists the grants), or correct the search_path.`,
  );

const cannotMigrate = ({ role, lacks, owner }: Standing): SchemaError =>
  new SchemaError(
    `Expected role '${role}' to bring the schema up to date for this build, but ${lacks}; run 'waybill migrate' of this build as ${owner ? `'${owner}'` : 'a role that may'} first.`,
  );
