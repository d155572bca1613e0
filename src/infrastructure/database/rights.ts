import type pg from 'pg';
import type { Build } from './build.js';
import { SchemaTrouble } from './schema-trouble.js';
import { isUpToDate } from './schema-version.js';

interface Standing {
  readonly role: string;
  /** Whom the tables belong to; null if there are none. */
  readonly owner: string | null;
  /** Where the tables are, or would be created; null if the role may use no schema of its search path. */
  readonly schema: string | null;
  /** What keeps the role from changing the schema; null if nothing does. */
  readonly lacks: string | null;
}

const STANDING = `select current_user as role, current_schema() as schema, pg_get_userbyid(t.relowner) as owner, case
    when current_schema() is null then 'it may use no schema of its search path'
    when not has_schema_privilege(current_schema(), 'create') then format('it may not create in schema %I', current_schema())
    when not has_database_privilege(current_database(), 'create') then format('it may not create schemas in database %I', current_database())
    when not pg_has_role(t.relowner, 'usage') then format('the tables belong to %I', pg_get_userbyid(t.relowner))
  end as lacks
  from (select) as one left join pg_class t on t.oid = to_regclass('schema_versions')`;

/**
 * Whether the role may change the schema. If it may not, throws `SchemaTrouble` unless there is nothing to change, and
 * the role has every right that the service needs.
 */
export async function mayMigrate(client: pg.Client, build: Build): Promise<boolean> {
  const { rows } = await client.query<Standing>(STANDING);
  const standing = rows[0]!;
  if (standing.lacks === null) return true;
  const missing = await missingRights(client, build);
  if (missing.length > 0) throw lacksRights(standing, missing);
  if (!(await isUpToDate(client, build))) throw cannotMigrate(standing);
  return false;
}

const ON_TABLES = 'select, insert, update, delete';
const ON_SEQUENCES = 'select, usage, update';

/** Each part of the list is what one statement grants: a text of `grant` without the role. Views are only read. */
const MISSING = `select format('%s on %s %I', string_agg(r, ', ' order by at), case when kind = 'S' then 'sequence' else 'table' end, name) as missing
  from (select c.oid, c.relname as name, c.relkind as kind from unnest($1::text[]) as n join pg_class c on c.oid = to_regclass(n)) as relation
    cross join lateral regexp_split_to_table(case kind when 'S' then '${ON_SEQUENCES}' when 'v' then 'select' else '${ON_TABLES}' end, ', ')
      with ordinality as rights (r, at)
  where not case when kind = 'S' then has_sequence_privilege(oid, r) else has_table_privilege(oid, r) end
  group by kind, name order by name`;

async function missingRights(client: pg.Client, build: Build): Promise<readonly string[]> {
  const { rows } = await client.query<{ missing: string }>(MISSING, [build.relations]);
  return rows.map(({ missing }) => missing);
}

/** What the owner grants to a role that runs the service but must not change the schema. */
export async function grantsFor(client: pg.Client, build: Build, role: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ statement: string }>(GRANTS, [build.relations, role]);
  return rows.map(({ statement }) => statement);
}

const GRANTS = `select format('grant usage on schema %I to %I;', current_schema(), $2::text) as statement
  union all select format('grant %s on %s %s.%I to %I;',
    case relkind when 'S' then '${ON_SEQUENCES}' when 'v' then 'select' else '${ON_TABLES}' end,
    case relkind when 'S' then 'sequence' else 'table' end, relnamespace::regnamespace::text, relname, $2::text)
  from unnest($1::text[]) as n join pg_class c on c.oid = to_regclass(n)`;

const MOST_NAMED = 3;

function lacksRights({ role }: Standing, missing: readonly string[]): SchemaTrouble {
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '';
  return new SchemaTrouble(
    `Expected role '${role}' to have the rights that the service needs, but it lacks ${missing.slice(0, MOST_NAMED).join('; ')}${more}; 'waybill migrate --print-grants ${role}' lists the grants.`,
  );
}

const cannotMigrate = ({ role, lacks, owner }: Standing): SchemaTrouble =>
  new SchemaTrouble(
    `Expected role '${role}' to bring the schema up to date for this build, but ${lacks}; run 'waybill migrate' of this build as ${owner ? `'${owner}'` : 'a role that may'} first.`,
  );
