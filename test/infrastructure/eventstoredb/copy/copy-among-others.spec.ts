import { Config } from '../../../../src/bootstrap/config.js';
import type { CopyProgress, CopyReport } from '../../../../src/infrastructure/eventstoredb/copy/copy-events.js';
import { moveEvents } from '../../../../src/maintenance/move-events.js';
import { enqueue } from '../../../support/events.js';
import { EventStoreDbFixture } from '../../../support/eventstoredb/fixture.js';
import { writeAsOthers } from '../../../support/eventstoredb/foreign-events.js';
import { openPostgresStore, type PostgresFixture } from '../../../support/postgres-store.js';
import { until } from '../../../support/until.js';

const OWN = 20;
/** Events of others that together are worth to be left out. */
const FOREIGN = { count: 40, bytes: 10_000 };
/** What looks at the log's end, and at records of it, cost. */
const BESIDES = 100;

let postgres: PostgresFixture;
let server: EventStoreDbFixture;

beforeAll(async () => {
  postgres = await openPostgresStore();
  server = await EventStoreDbFixture.start();
  for (let nth = 0; nth < OWN; nth++) await postgres.store.append([enqueue('mail')]);
  // To the copy, the store's own connections look like a service's.
  await postgres.pool.end();
});
afterAll(async () => {
  await server.stop();
  await postgres.close();
});

const nothing = (): void => undefined;

function copyTo(eventStorePrefix: string, onProgress: (progress: CopyProgress) => void = nothing): Promise<CopyReport> {
  const options = { databaseUrl: postgres.url, eventStoreUrl: server.url, eventStorePrefix };
  return moveEvents({ config: Object.assign(new Config(), options), onProgress, log: nothing });
}

/** How many events the server looks at for the work. */
async function looked(work: () => Promise<unknown>): Promise<number> {
  const before = server.looked;
  await work();
  await until('the server to have ended its calls', async () => (server.openCalls === 0 ? true : null));
  return server.looked - before;
}

describe('a copy into a store that others write to', () => {
  it('looks through what they wrote once, however often it is run', async () => {
    const between = await looked(() =>
      copyTo('first.', ({ step }) => step === 'copy' && writeAsOthers(server.log, FOREIGN)),
    );
    expect(between).toBeGreaterThan(OWN * FOREIGN.count);
    for (let nth = 0; nth < OWN; nth++) writeAsOthers(server.log, FOREIGN);
    await copyTo('first.');
    let report: CopyReport | undefined;
    expect(await looked(async () => (report = await copyTo('first.')))).toBeLessThan(3 * OWN + BESIDES);
    expect(report).toMatchObject({ copied: 0, equal: true });
  });

  it('knows nothing of the same store with other names', async () => {
    await copyTo('one.');
    writeAsOthers(server.log, FOREIGN);
    for (const prefix of ['other.', 'one.', 'other.'])
      expect(await copyTo(prefix)).toMatchObject({ equal: true, target: { count: OWN } });
  });

  it('checks every event of the store, and not what it has kept of it', async () => {
    await copyTo('checked.', ({ step }) => step === 'copy' && writeAsOthers(server.log, FOREIGN));
    await copyTo('checked.');
    const damaged = server.log.all.find(({ stream }) => stream.startsWith('checked.task-'))!;
    const text = Buffer.from(damaged.data.buffer, damaged.data.byteOffset, damaged.data.length);
    text.write('nail', text.indexOf('mail'));
    expect(await copyTo('checked.')).toMatchObject({ equal: false, target: { count: OWN } });
  });
});
