import { main } from '@waybill/cli';
import { createWaybill } from '@waybill/client';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Config } from '../../../src/bootstrap/config.js';
import { BUILD, FUNCTIONS } from '../../../src/bootstrap/functions.js';
import { type Server, startServer } from '../../../src/bootstrap/server.js';
import { Build } from '../../../src/infrastructure/database/build.js';
import { connect } from '../../../src/infrastructure/database/connect.js';
import { migrate } from '../../../src/infrastructure/database/migrate.js';
import { grantsFor } from '../../../src/infrastructure/database/rights.js';
import { runMigrate } from '../../../src/maintenance/migrate.js';
import { createLog } from '../../../src/infrastructure/telemetry/pino-logger.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';

const log = createLog({ level: 'silent', format: 'json' });
const NEXT = new Build({ functions: FUNCTIONS.map((text) => text.replace('begin', 'begin -- changed')) });

let database: TestDatabase;
let owner: pg.Client;
/** A role that may not create anything. */
let app: string;
let url: string;
beforeEach(async () => {
  database = await createEmptyDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  app = `app_${randomBytes(4).toString('hex')}`;
  await owner.query(`create role ${app} login password 'app'; revoke create on schema public from public`);
  const asApp = new URL(database.url);
  asApp.username = app;
  asApp.password = 'app';
  url = asApp.href;
});
afterEach(async () => {
  await owner.query(`reassign owned by ${app} to postgres; drop owned by ${app}; drop role ${app}`);
  await owner.end();
  await database.drop();
});

async function grants(): Promise<readonly string[]> {
  const client = await connect(database.url);
  const all = await grantsFor(client, BUILD, app);
  await client.end();
  return all;
}

it('the list of grants has every table, view and sequence', async () => {
  await migrate(database.url, BUILD);
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'S')
       and relname <> 'waybill_migrations' and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i' and c.relkind = 'S')
       and relname not like 'waybill_migrations%' order by 1`,
  );
  expect([...BUILD.relations].sort()).toEqual(rows.map(({ name }) => name).sort());
});

it("'waybill migrate' makes the schema and prints the grants, which a service of the role can run with", async () => {
  const printed = jest.spyOn(console, 'log').mockReturnValue();
  const said = jest.spyOn(console, 'error').mockReturnValue();
  const { stdin, stdout, stderr } = process;
  const surroundings = { stdin, stdout, stderr, env: { DATABASE_URL: database.url }, migrateSchema: runMigrate };
  expect(await main(['migrate', '--print-grants', app], surroundings)).toBe(0);
  expect(said).toHaveBeenCalledWith(`The schema is up to date for build '${BUILD.schema}'`);
  await owner.query(printed.mock.calls.flat().join('\n'));
  expect(await migrate(url, BUILD)).toEqual([]);
});

describe('a role that may not change the schema', () => {
  let server: Server | null = null;
  const start = async (): Promise<void> => {
    server = await startServer(Object.assign(new Config(), { databaseUrl: url, port: 0 }), log);
  };
  afterEach(async () => {
    await server?.stop();
    server = null;
  });

  it('is told who must make the schema', async () => {
    await expect(start()).rejects.toThrow(
      `Expected role '${app}' to bring the schema up to date for this build, but it may not create in schema public; run 'waybill migrate' of this build as a role that may first.`,
    );
  });

  it('is told what it lacks, and runs the service once it has it', async () => {
    await migrate(database.url, BUILD);
    await expect(start()).rejects.toThrow(
      /^Expected role '\w+' to have the rights that the service needs, but it lacks select, insert, update, delete on table \w+; .* and \d+ more; 'waybill migrate --print-grants \w+' lists the grants\.$/,
    );
    await owner.query((await grants()).join('\n'));
    await owner.query(`revoke delete on tasks from ${app}`);
    await expect(start()).rejects.toThrow(
      `Expected role '${app}' to have the rights that the service needs, but it lacks delete on table tasks; 'waybill migrate --print-grants ${app}' lists the grants.`,
    );
    await owner.query(`grant delete on tasks to ${app}`);
    await start();
    const waybill = createWaybill({ url: server!.url! });
    const mail = waybill.queue('mail');
    await mail.define();
    const { id } = await mail.enqueue({ to: 'me' });
    const [claimed] = await mail.claim({ worker: 'w' });
    await waybill.settle([{ taskId: claimed!.taskId, token: claimed!.token, verdict: { type: 'succeed' } }]);
    expect((await waybill.task(id).get()).state).toBe('succeeded');
  });

  it('is told to let the owner migrate for a new build, and can go on with the one before', async () => {
    await migrate(database.url, BUILD);
    await owner.query((await grants()).join('\n'));
    await expect(migrate(url, NEXT)).rejects.toThrow(
      `Expected role '${app}' to bring the schema up to date for this build, but it may not create in schema public; run 'waybill migrate' of this build as 'postgres' first.`,
    );
    expect(await migrate(database.url, NEXT)).toEqual(['the functions of this build']);
    await owner.query(`update builds set used_at = now() - interval '2 days'`);
    expect(await migrate(url, NEXT)).toEqual([]);
    const { rows } = await owner.query(
      `select schema from builds where used_at > now() - interval '1 minute' order by 1`,
    );
    expect(rows).toEqual([{ schema: NEXT.schema }]);
  });

  it.each(['usage on', 'execute on all functions in'])(
    'is told that it lacks %s the schema of its functions',
    async (right) => {
      await migrate(database.url, BUILD);
      await owner.query((await grants()).join('\n'));
      // As after a restore without the grants of the dump.
      await owner.query(`revoke ${right} schema ${BUILD.schema} from public, ${app}`);
      await expect(start()).rejects.toThrow(
        `but it lacks ${right} schema ${BUILD.schema}; 'waybill migrate --print-grants`,
      );
      await owner.query((await grants()).join('\n'));
      expect(await migrate(url, BUILD)).toEqual([]);
    },
  );

  it('may execute the functions of a database that gives nobody the right to', async () => {
    await owner.query('alter default privileges revoke execute on functions from public');
    await migrate(database.url, BUILD);
    const onTables = (await grants()).filter((one) => !one.includes(BUILD.schema));
    await owner.query(onTables.join('\n'));
    expect(await migrate(url, BUILD)).toEqual([]);
  });

  it('is told to get usage if it may use no schema', async () => {
    await migrate(database.url, BUILD);
    await owner.query('revoke usage on schema public from public');
    await expect(start()).rejects.toThrow(
      `Expected role '${app}' to use a schema of its search path, but it may use none of "$user", public; grant it usage on the schema of the tables ('waybill migrate --print-grants ${app}' lists the grants), or correct the search_path.`,
    );
  });

  it('is told that the tables are in another schema than it looks in', async () => {
    await migrate(database.url, BUILD);
    await owner.query((await grants()).join('\n'));
    await owner.query(`create schema elsewhere; grant usage on schema elsewhere to ${app}`);
    await owner.query(`alter role ${app} set search_path = elsewhere`);
    await expect(start()).rejects.toThrow(
      "Expected the tables of Waybill in schema 'elsewhere', the first of the search path, but schema 'public' has them; correct the search_path",
    );
  });

  it('is told whom the functions of applications belong to, although the tables are its own', async () => {
    await migrate(database.url, BUILD);
    await owner.query((await grants()).join('\n'));
    const { rows } = await owner.query<{ statement: string }>(
      `select format('alter table %I owner to ${app}', relname) as statement from pg_class
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')`,
    );
    await owner.query(rows.map(({ statement }) => statement).join(';'));
    await owner.query(`grant create on database ${new URL(database.url).pathname.slice(1)} to ${app}`);
    await owner.query(`grant create on schema public to ${app}`);
    expect(await migrate(url, BUILD)).toEqual([]);
    const told = (lack: string): string =>
      `Expected role '${app}' to bring the schema up to date for this build, but ${lack}; run 'waybill migrate' of this build as 'postgres' first.`;
    await expect(migrate(url, NEXT)).rejects.toThrow(told('it may not create in schema waybill'));
    await owner.query(`grant usage, create on schema waybill to ${app}`);
    await expect(migrate(url, NEXT)).rejects.toThrow(told('function waybill.enqueue belongs to postgres'));
    await owner.query(
      `alter function waybill.enqueue owner to ${app}; alter function waybill.name_actor owner to ${app}`,
    );
    expect(await migrate(url, NEXT)).toEqual(['the functions of this build']);
  });
});
