import type pg from 'pg';
import type { Build } from './build.js';

/** A build's functions are dropped after this time without use. Until then it can start again without installing them. */
const KEPT = `interval '1 day'`;
const LOCK_TIMEOUT_MS = 3_000;

const SEARCH_PATH = `nullif(current_setting('search_path'), '')`;

/**
 * Installs the functions of the build beside those of other builds, which keep working, and drops those of builds that
 * nobody uses any more. Returns true if they were not installed yet. One transaction does it all, so that no process
 * sees half of them. Call it under the migration lock.
 *
 * The functions belong to the program, not to the data. Migrations change tables only.
 */
export async function installFunctions(client: pg.Client, build: Build): Promise<boolean> {
  const { rows } = await client.query<{ missing: boolean; newest: number }>(
    `select to_regnamespace('${build.schema}') is null as missing, max(version) as newest from schema_versions`,
  );
  const { missing, newest } = rows[0]!;
  const parts = [
    `set local lock_timeout = ${LOCK_TIMEOUT_MS}`,
    // A function may call one that is created after it.
    'set local check_function_bodies = off',
    ...(missing ? partsOf(build, newest) : []),
    use(build),
    DROP_UNUSED,
  ];
  await client.query(`begin; ${parts.join(';\n')}; commit`);
  return missing;
}

/** Like `installFunctions`, for a role that may only use what is installed. */
export const noteUse = (client: pg.Client, build: Build): Promise<unknown> => client.query(use(build));

/** What all builds share comes from a build for the newest schema, because that one knows what the tables have. */
const partsOf = ({ schema, functions, shared, version }: Build, newest: number): readonly string[] => [
  ...(version === newest ? shared : []),
  // They have the rights of their caller, so anybody may find them.
  `create schema ${schema}`,
  `grant usage on schema ${schema} to public`,
  `select set_config('search_path', concat_ws(', ', '${schema}', ${SEARCH_PATH}), true)`,
  ...functions,
  // A database may be set so that nobody may execute what is created (`alter default privileges`).
  `grant execute on all functions in schema ${schema} to public`,
];

const use = ({ schema, version }: Build): string =>
  `insert into builds (schema, version) values ('${schema}', ${version}) on conflict (schema) do update set used_at = now()`;

const DROP_UNUSED = `do $$ declare b record; begin
  for b in delete from builds where used_at < now() - ${KEPT}
    and not exists (select from pg_namespace n where n.nspname = schema and not pg_has_role(n.nspowner, 'usage')) returning schema
  loop execute format('drop schema if exists %I cascade', b.schema); end loop;
end $$`;
