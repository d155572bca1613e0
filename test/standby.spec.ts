import { jest } from '@jest/globals';
import { runMigrate } from '../src/maintenance/migrate.js';
import { OwnPostgres } from './chaos/own-postgres.js';
import { endServiceProcesses, ServiceProcess } from './service-process.js';
import { until } from './support/until.js';

const READ_ONLY =
  'Expected the database to take writes, but it is read-only: a standby, or default_transaction_read_only is on';
const REFUSAL =
  /^Expected to use the database at '.*', but it is read-only \(a standby, or default_transaction_read_only is on\); set DATABASE_URL to a Postgres that this process may use\.\n$/;

let postgres: OwnPostgres;
beforeAll(async () => void (postgres = await OwnPostgres.start()));
afterEach(() => endServiceProcesses());
afterAll(() => postgres.remove());

const start = (): ServiceProcess => new ServiceProcess({ DATABASE_URL: postgres.url });

const enqueue = (url: string): Promise<Response> =>
  fetch(`${url}/v1/queues/mail/tasks`, { method: 'POST', ...JSON_BODY });
const JSON_BODY = { headers: { 'content-type': 'application/json' }, body: '{}' };

describe('a real standby', () => {
  it('is called read-only by a service that ran on the primary, which goes on once it is promoted', async () => {
    const service = start();
    const url = await service.url();
    await fetch(`${url}/v1/queues/mail`, { method: 'PUT', ...JSON_BODY });
    expect((await enqueue(url)).status).toBe(201);
    await postgres.becomeStandby();
    const refused = await until('to be refused for that', async () => {
      const answer = (await (await enqueue(url)).json()) as { code: string; detail: string };
      return answer.detail === READ_ONLY ? answer : null;
    });
    expect(refused.code).toBe('STORE_UNAVAILABLE');
    expect((await fetch(`${url}/v1/tasks`)).status).toBe(200);
    await service.told(/it is read-only: a standby/);
    await postgres.promote();
    await until('a task', async () => ((await enqueue(url)).status === 201 ? true : null));
    await service.told(/The database takes writes again/);
  });

  it('is called read-only by a start and by a migration, in one sentence', async () => {
    await postgres.becomeStandby();
    const service = start();
    expect(await service.ended).toBe(1);
    expect(service.errors).toMatch(REFUSAL);
    const said = jest.spyOn(console, 'error').mockReturnValue();
    const left = jest.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    await expect(runMigrate({ DATABASE_URL: postgres.url }, {})).rejects.toThrow('exit 1');
    left.mockRestore();
    expect(`${said.mock.calls.flat().join('')}\n`).toMatch(REFUSAL);
  });
});
