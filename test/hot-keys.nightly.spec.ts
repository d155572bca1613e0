import { createWaybill, type Waybill } from '@waybill/client';
import { type RunningService, startService } from './support/running-service.js';

const KEYS = ['a', 'b', 'c', 'd'];
const CLIENTS = Array.from({ length: 20 }, (_, at) => at);
const EACH = 4;

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.waybill.queue('hot').define({ duplicatePending: 'replace-payload' });
});
afterAll(() => service.stop());

/** One after the other, by each client at once. Returns what went wrong. */
async function byAll(work: (waybill: Waybill, client: number, time: number) => Promise<unknown>): Promise<unknown[]> {
  const failures: unknown[] = [];
  await Promise.all(
    CLIENTS.map(async (client) => {
      const waybill = service.as(`client-${client}`);
      for (let time = 0; time < EACH; time++)
        await work(waybill, client, time).catch((error: unknown) => failures.push(error));
    }),
  );
  return failures;
}

describe('with twenty clients on a few hot keys', () => {
  it.each([
    ['in one order', () => KEYS],
    ['in the order of each client', (client: number) => [...KEYS.slice(client % 4), ...KEYS.slice(0, client % 4)]],
  ])('every transaction that replaces payloads %s is carried out', async (_, keysOf) => {
    const failures = await byAll((waybill, client, time) =>
      waybill.transaction((tx) => {
        for (const key of keysOf(client)) tx.queue('hot').enqueue({ client, time }, { key });
      }),
    );
    expect(failures).toEqual([]);
    const waiting = `select count(*)::int as n from tasks where queue = 'hot' and key = any($1)`;
    expect((await service.pool.query(waiting, [KEYS])).rows).toEqual([{ n: KEYS.length }]);
  });

  it('every annotation of one task is recorded, in transactions and beside them', async () => {
    const { id } = await service.waybill.queue('hot').enqueue({}, { key: 'e' });
    const failures = await byAll((waybill, client, time) =>
      client % 2 === 0
        ? waybill.task(id).annotate({ client, time })
        : waybill.transaction((tx) => tx.task(id).annotate({ client, time })),
    );
    expect(failures).toEqual([]);
    expect(await service.waybill.task(id).history()).toHaveLength(1 + CLIENTS.length * EACH);
  });
});

/** Few enough that the slowest is done well before its patience ends, also on a busy machine; enough that three tries were not. */
const AT_EACH = CLIENTS.slice(0, 8);

it('with clients at two services, every transaction on the hot keys is carried out at the first request', async () => {
  const urls = [service.url, await service.addUrl()];
  const clients = urls.flatMap((url) =>
    AT_EACH.map(async (client) => {
      const waybill = createWaybill({ url, actor: `client-${client}`, retry: { attempts: 1 }, timeoutMs: 60_000 });
      for (let time = 0; time < EACH / 2; time++)
        await waybill.transaction((tx) => {
          for (const key of KEYS) tx.queue('hot').enqueue({ url, client, time }, { key });
        });
    }),
  );
  expect((await Promise.allSettled(clients)).filter(({ status }) => status === 'rejected')).toEqual([]);
});

it('with clients at two services, every command on one task is carried out at the first request', async () => {
  const { id } = await service.waybill.queue('hot').enqueue({}, { key: 'f' });
  const urls = [service.url, await service.addUrl()];
  const commands = urls.flatMap((url) =>
    AT_EACH.map(async (client) => {
      const waybill = createWaybill({ url, actor: `client-${client}`, retry: { attempts: 1 }, timeoutMs: 60_000 });
      await waybill.task(id).annotate({ url, client });
      await waybill.task(id).amend({ url, client });
    }),
  );
  await Promise.all(commands);
  expect(await service.waybill.task(id).history()).toHaveLength(1 + 2 * commands.length);
});
