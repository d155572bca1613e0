import { violationsOf } from '../support/history-checker.js';
import { sizeOf } from '../support/sizes.js';
import { defineQueues, enqueue, startWorker } from './load.js';
import { OwnPostgres } from './own-postgres.js';
import { Run } from './run.js';

/** A Postgres that loses its power while the service works. */
describe('given a Postgres that restarts under the service', () => {
  let postgres: OwnPostgres;
  let run: Run;

  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    run = await Run.open(await postgres.createDatabase());
  });

  afterAll(async () => {
    await run.close();
    await postgres.remove();
  });

  it('answers 503 with Retry-After, recovers by itself, and has lost nothing acknowledged', async () => {
    const service = await run.service().ready();
    const waybill = run.client();
    await defineQueues(waybill);
    const worker = await startWorker(waybill, { name: 'w', leaseMs: 5_000 });
    for (let restarts = 0; restarts < sizeOf(3, 1); restarts++) {
      // Independent tasks: however fast they are claimed, five more remain for the next restart to interrupt.
      const enqueued = enqueue(waybill, 200);
      await run.answered('enqueueTasks', 5);
      await postgres.crash();
      await enqueued;
    }

    await postgres.pgCtl('stop', ['-m', 'immediate']);
    const answers = await Promise.all(
      ['/healthz/ready', '/metrics', '/v1/tasks', '/v1/queues/plain', '/v1/queues/plain/stats', '/v1/events'].map(
        (path) => fetch(run.url + path),
      ),
    );
    const refused = answers.map(({ status, headers }) => [status, headers.get('retry-after')]);
    expect(refused).toEqual(answers.map(() => [503, '1']));
    // A command is retried for a while before it is given up.
    const command = await fetch(`${run.url}/v1/queues/plain/tasks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect([command.status, command.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await fetch(`${run.url}/healthz/live`)).status).toBe(200);
    await postgres.pgCtl('start');

    await service.ready();
    await enqueue(waybill, 100);
    await run.settled(120_000);
    await worker.stop();
    expect(service.end).toBeNull();
    expect(violationsOf(await run.history())).toEqual([]);
  }, 600_000);
});
