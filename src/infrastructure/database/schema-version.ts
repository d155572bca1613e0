import type pg from 'pg';
import type { Build } from './build.js';
import { SchemaError } from './schema-error.js';

/** A build counts as in use for this long after a process last said so. Each does every 20 seconds. */
const IN_USE = `interval '1 minute'`;

interface SchemaVersion {
  readonly version: number;
  /** Builds for this version and later ones can work on the schema. */
  readonly oldest: number;
}

/** Throws `SchemaError` if the schema is one that the build does not understand. */
export async function assertKnownSchema(client: pg.Client, build: Build): Promise<void> {
  const { version, oldest } = await schemaVersion(client);
  if (build.version >= oldest) return;
  throw new SchemaError(
    `Expected a schema that a build for version ${build.version} can work on, but it has version ${version}, which needs a build for version ${oldest} or later; start a newer build.`,
  );
}

/** Which builds are in use that cannot work on the schema that this build makes; null if there are none. */
export async function oldBuildsInUse(client: pg.Client, build: Build): Promise<string | null> {
  const { version } = await schemaVersion(client);
  const steps = build.migrations.map((Step) => new Step()).filter((step) => step.version > version);
  if (version === 0 || steps.length === 0) return null;
  const { rows } = await client.query<{ schema: string; seconds: number }>(
    `select schema, extract(epoch from now() - used_at)::int as seconds from builds
     where version < $1 and used_at > now() - ${IN_USE} order by used_at desc limit 1`,
    [Math.max(...steps.map(({ oldest }) => oldest))],
  );
  const [found] = rows;
  return found ? `build '${found.schema}' was in use ${found.seconds} s ago` : null;
}

/** Whether a start of the build has nothing to change. */
export async function isUpToDate(client: pg.Client, build: Build): Promise<boolean> {
  const { version } = await schemaVersion(client);
  const { rows } = await client.query<{ installed: boolean }>(
    `select to_regnamespace('${build.schema}') is not null as installed`,
  );
  return version >= build.version && rows[0]!.installed;
}

/** For whoever only reads. Throws `SchemaError` unless the schema is what this build makes, or a later one that it understands. */
export async function assertUpToDate(client: pg.Client, build: Build): Promise<void> {
  await assertKnownSchema(client, build);
  if (await isUpToDate(client, build)) return;
  const { version } = await schemaVersion(client);
  const has = version >= build.version ? 'functions of another build' : `version ${version}`;
  throw new SchemaError(
    `Expected the database to have version ${build.version} and the functions of this build, but it has ${version === 0 ? 'no tables' : has}; run 'waybill migrate' of this build first, or take the build that runs there.`,
  );
}

/** Version 0 has no tables. */
async function schemaVersion(client: pg.Client): Promise<SchemaVersion> {
  const { rows } = await client.query<{ made: boolean }>(`select to_regclass('schema_versions') is not null as made`);
  if (!rows[0]!.made) return { version: 0, oldest: 0 };
  const versions = await client.query<SchemaVersion>(
    'select coalesce(max(version), 0) as version, coalesce(max(oldest), 0) as oldest from schema_versions',
  );
  return versions.rows[0]!;
}
