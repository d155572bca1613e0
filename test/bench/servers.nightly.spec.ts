import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { EventStoreDbFixture, type Release, type Scheme } from '../support/eventstoredb/fixture.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

const root = resolve(__dirname, '../..');
const run = promisify(execFile);
const PATIENCE_MS = 300_000;
const judged = { reached: expect.any(Number), met: expect.any(Boolean) };

/** What a bench prints. */
async function bench(name: string, ...given: string[]) {
  const { stdout } = await run(process.execPath, [join(root, `bench/${name}.mjs`), ...given], { cwd: root });
  return JSON.parse(stdout);
}

/** How many events another program has written. */
const othersIn = ({ log }: EventStoreDbFixture): number =>
  log.ordinary.filter(({ stream }) => stream.startsWith('other-')).length;

const SERVERS: readonly (readonly [Release, Scheme])[] = [
  ['24.6.0', 'esdb'],
  ['25.1.4', 'kurrentdb'],
];

describe.each(SERVERS)('what was tried on a server runs on a fixture of %s, with %s://', (release, scheme) => {
  let server: EventStoreDbFixture;
  let service: RunningService;
  beforeAll(async () => {
    server = await EventStoreDbFixture.start({ release, scheme });
    service = await startService({ eventStoreUrl: server.url });
  }, PATIENCE_MS);
  afterAll(async () => {
    await service.stop();
    await server.stop();
  }, PATIENCE_MS);

  it(
    'an equal append that is on its way is answered late with a time-out, and stored once',
    async () => {
      const { met } = server.flights;
      const found = await bench('servers/equal-appends', server.url, '--pairs', '3');
      expect(server.flights.met).toBeGreaterThan(met);
      expect(found).toMatchObject({ pairs: 3, errors: { 'deadline-exceeded': server.flights.met - met } });
      const stored = server.log.ordinary.filter(({ type }) => type === 'equal');
      expect(stored.map(({ revision }) => revision)).toEqual([0n, 0n, 0n]);
    },
    PATIENCE_MS,
  );

  it(
    'transactions succeed, and a read after one finds what it made',
    async () => {
      const { rounds, goals } = await bench('servers/transactions', service.url, '--rounds', '2');
      const done = { three: { status: 200 }, read: { status: 200 }, two: { status: 200 } };
      expect(rounds).toMatchObject([done, done]);
      expect(goals).toMatchObject([judged]);
    },
    PATIENCE_MS,
  );

  it(
    'reads show our own events among those of another program, and nothing of it',
    async () => {
      const before = othersIn(server);
      const wrote = await bench('foreign/writer', server.url, '500', '1');
      expect(othersIn(server) - before).toBe(wrote.written);
      const others = server.writeForeign(500);
      const ok = { status: 200 };
      const { rounds, goals } = await bench('servers/probe', service.url, '--rounds', '2', '--every', '0');
      others.stop();
      expect(othersIn(server) - before).toBeGreaterThan(wrote.written);
      const answers = { enqueue: { statuses: [201] }, claim: ok, settle: ok, history: ok, events: ok, ofQueue: ok };
      for (const round of rounds) expect(round).toMatchObject({ ...answers, since: ok });
      expect(goals).toMatchObject([judged, judged]);
      const own = server.log.ordinary.filter(({ data }) => Buffer.from(data).includes('"queue":"probe"'));
      expect(own.length).toBeGreaterThanOrEqual(40);
      const types = new Set<string>();
      for await (const { type } of service.waybill.events()) types.add(type);
      expect(types).toContain('TaskSucceeded');
      expect(types).not.toContain('other');
    },
    PATIENCE_MS,
  );

  it(
    'another program writes to it at a rate of its own, until it or its fixture is stopped',
    async () => {
      const stopped = await EventStoreDbFixture.start({ release, scheme });
      stopped.writeForeign(1_000);
      await until('an event of it', async () => othersIn(stopped) > 0 || null);
      await stopped.stop();
      const [before, then] = [othersIn(server), othersIn(stopped)];
      const others = server.writeForeign(1_000);
      await until('many of its events', async () => othersIn(server) - before >= 200 || null);
      others.stop();
      expect(othersIn(stopped)).toBe(then);
    },
    PATIENCE_MS,
  );
});
