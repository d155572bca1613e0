import { EventStoreDbFixture, type FixtureOptions } from '../../support/eventstoredb/fixture.js';
import type { ClaimedTask } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { sizeOf } from '../../support/sizes.js';
import { until } from '../../support/until.js';

const PATIENCE_MS = 60_000;

let server: EventStoreDbFixture | undefined;
let service: RunningService;
afterEach(async () => {
  await service.stop();
  await server?.stop();
  server = undefined;
});

async function serviceOn(options: FixtureOptions): Promise<RunningService> {
  server = await EventStoreDbFixture.start(options);
  return (service = await startService({ eventStoreUrl: server.url }));
}

/** The first have both schemes, and the oldest and the newest release. */
const SERVERS = [
  { scheme: 'esdb', release: '24.2.0' },
  { scheme: 'kurrentdb', release: '25.1.4' },
  { scheme: 'esdb', release: '24.6.0' },
  { scheme: 'esdb', release: '25.1.4' },
  { scheme: 'kurrentdb', release: '24.6.0' },
  { scheme: 'kurrentdb', release: '24.10.4' },
  { scheme: 'kurrentdb', release: '25.0.0' },
] as const;

it.each(SERVERS.slice(0, sizeOf(SERVERS.length, 2)))(
  'a service at $scheme: on $release keeps a whole life, and says the version',
  async (options) => {
    const { waybill } = await serviceOn(options);
    const mail = waybill.queue('mail');
    await mail.define();
    const { id } = await mail.enqueue({ to: 'ada' }, { key: 'ada' });
    await waybill.transaction(async (tx) => {
      tx.queue('mail').enqueue({ to: 'bob' }, { key: 'bob' });
      tx.queue('mail').enqueue({ to: 'cy' }, { key: 'cy' });
    });
    for (let settled = 0; settled < 3; settled += 1) {
      const [{ taskId, token }] = (await mail.claim({ worker: 'w', waitMs: PATIENCE_MS })) as [ClaimedTask];
      await waybill.settle([{ taskId, token, verdict: { type: 'succeed', result: 'sent' } }]);
    }
    await service.restart();
    const isDone = async () => ((await service.waybill.task(id).get()).state === 'succeeded' ? true : null);
    await until('the task to be seen as succeeded', isDone);
    expect((await service.waybill.system.get()).eventStoreVersion).toBe(options.release);
  },
);

it('a service with its events in Postgres names no version', async () => {
  service = await startService({ eventStoreUrl: undefined });
  expect((await service.waybill.system.get()).eventStoreVersion).toBeNull();
});
