import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Config } from '../src/bootstrap/config.js';
import { type Server, startServer } from '../src/bootstrap/server.js';
import { createLog } from '../src/infrastructure/telemetry/pino-logger.js';
import { OwnPostgres } from './chaos/own-postgres.js';
import { EventStoreDbFixture } from './support/eventstoredb/fixture.js';
import { until } from './support/until.js';

const SLOW_MS = 180_000;

/** Every loop, listener and request of the process meets the outage, and one of them tells it. */
describe.each(['Postgres', 'EventStoreDB'])('a Postgres that is away, with the events in %s', (events) => {
  let postgres: OwnPostgres;
  let store: EventStoreDbFixture;
  let service: Server;
  let lines: string[];

  beforeEach(async () => {
    [postgres, store] = [await OwnPostgres.start(), await EventStoreDbFixture.start()];
    const { url } = await postgres.createDatabase();
    const databaseUrl = new URL(url);
    databaseUrl.searchParams.delete('connect_timeout');
    const elsewhere = events === 'EventStoreDB' && { eventStoreUrl: store.url };
    const config = Object.assign(new Config(), { databaseUrl: databaseUrl.href, port: 0, ...elsewhere });
    service = await startServer(config, createLog({ level: 'error', format: 'text' }));
    await send('/v1/queues/mail', 'PUT');
    lines = [];
    for (const level of ['log', 'warn', 'error'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation((line: unknown) => void lines.push(String(line)));
  }, SLOW_MS);
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.stop();
    await store.stop();
    await postgres.remove();
  }, SLOW_MS);

  const send = (path: string, method = 'GET'): Promise<Response> => {
    const sent = method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: '{}' };
    return fetch(service.url! + path, { method, ...sent });
  };
  const enqueue = (): Promise<Response> => send('/v1/queues/mail/tasks', 'POST');
  const told = (count: number): Promise<boolean> =>
    until(`line ${count}`, async () => lines.length >= count || null, SLOW_MS);
  /** The followers, too, do what they did before. */
  const works = async (): Promise<void> => {
    const task = await until(
      'a task',
      async () => {
        const answer = await enqueue();
        return answer.status === 201 ? ((await answer.json()) as { position: string }) : null;
      },
      SLOW_MS,
    );
    const read = `/v1/queues/mail/stats?minPosition=${task.position}`;
    await until('the read models', async () => (await send(read)).status === 200 || null, SLOW_MS);
  };

  it(
    'is one line when it goes, and one when it is back, with the time between',
    async () => {
      for (const time of [1, 2]) {
        await postgres.pgCtl('stop', ['-m', time === 1 ? 'fast' : 'immediate']);
        const answers = [await enqueue(), await send('/v1/tasks'), await send('/v1/queues/mail'), await enqueue()];
        expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
        await told(2 * time - 1);
        await postgres.pgCtl('start');
        await told(2 * time);
        await works();
      }
      const [gone, back] = [
        expect.stringMatching(/^The database is away, and is tried until it is back: ./),
        expect.stringMatching(/^The database is back after \d+\.\d s$/),
      ];
      expect(lines).toEqual([gone, back, gone, back]);
    },
    SLOW_MS,
  );
});
