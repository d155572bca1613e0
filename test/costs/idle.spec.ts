import pg from 'pg';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

const WINDOW = '5 seconds';
/** What the start still does falls into the first one at most, and a slow machine sends less in the others. */
const WINDOWS = 4;
/** Every loop of all roles together: 48 to 60 in five seconds when this was written, more on a faster machine. */
const MOST = 68;

const CALLS = `
  select coalesce(sum(calls), 0)::int as calls
  from pg_stat_statements s join pg_database d on d.oid = s.dbid where d.datname = $1`;

const nameOf = (service: RunningService) => new URL(service.databaseUrl).pathname.slice(1);

describe('a service with nothing to do', () => {
  let service: RunningService;
  let admin: pg.Client;
  beforeAll(async () => {
    service = await startService();
    admin = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await admin.connect();
    await admin.query('create extension if not exists pg_stat_statements');
    await admin.query(`alter database ${nameOf(service)} set pg_stat_statements.track = 'top'`);
    await service.restart();
  });
  afterAll(async () => {
    await admin.end();
    await service.stop();
  });

  it('sends Postgres no more statements than recorded', async () => {
    const calls = async () => (await admin.query(CALLS, [nameOf(service)])).rows[0].calls as number;
    const window = async () => {
      const { rows } = await admin.query(`select clock_timestamp() + interval '${WINDOW}' as over`);
      await until('the window to pass', async () =>
        (await admin.query('select clock_timestamp() > $1 as over', [rows[0].over])).rows[0].over ? true : null,
      );
    };
    const counts: number[] = [];
    while (counts.length < WINDOWS) {
      const before = await calls();
      await window();
      counts.push((await calls()) - before);
    }
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(Math.min(...counts)).toBeLessThanOrEqual(MOST);
  });
});
