import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createWaybill, type Waybill, type Worker } from '@waybill/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningService, startService } from '../../test/support/running-service.js';
import { type TcpProxy, tcpProxyTo } from '../../test/support/tcp-proxy.js';
import { Books } from './books.js';
import { closeMonth, type Cluster, type Month } from './month.js';
import { ShopQueues } from './queues.js';
import { serve } from './server.js';

const MONTH: Month = {
  name: 'january',
  orders: Array.from({ length: 8 }, (_, at) => ({ number: at + 1, amount: (at + 1) * 100 })),
  outOfStock: 7,
  troubles: { hangs: 3, timesOut: 2, declined: 5 },
};

/** Servers whose plugs can be pulled: what they send arrives nowhere from then on. */
class TestCluster implements Cluster {
  private readonly servers = new Map<string, { readonly worker: Worker; readonly way: TcpProxy }>();

  constructor(
    private readonly service: RunningService,
    private readonly books: Books,
  ) {}

  get waybill(): Waybill {
    return this.service.waybill;
  }

  async startServers(): Promise<void> {
    for (const name of ['server-1', 'server-2', 'server-3']) {
      const way = await tcpProxyTo(this.service.url);
      const waybill = createWaybill({ url: way.url, actor: name });
      const worker = waybill.worker({ name, server: name, logger: null, waitMs: 1_000, graceMs: 0 });
      this.servers.set(name, {
        worker: serve(worker, new ShopQueues(waybill, MONTH.name), this.books, MONTH.troubles),
        way,
      });
      await worker.start();
    }
  }

  async kill(server: string): Promise<void> {
    this.servers.get(server)!.way.close();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.servers.values()].map(({ worker }) => worker.stop()));
    for (const { way } of this.servers.values()) way.close();
  }
}

let folder: string;
let service: RunningService;
let cluster: TestCluster;
let books: Books;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-cluster-'));
  service = await startService();
  books = new Books(join(folder, 'ledger.txt'));
  cluster = new TestCluster(service, books);
});
afterEach(async () => {
  await cluster.stop();
  await service.stop();
  await rm(folder, { recursive: true });
});

it('a cluster closes a month though a server dies, and books every order once, one after another', async () => {
  const notes: string[] = [];
  const { signal } = new AbortController();
  const { payments, bookings, statement, killed } = await closeMonth(cluster, MONTH, {
    signal,
    onNote: (text) => notes.push(text),
  });
  expect((await books.lines()).map((line) => Number(line.split(' ')[0]))).toEqual([1, 2, 3, 4, 5, 6, 8]);
  expect(statement.result).toEqual({ orders: 7, total: 2_900 });
  const attempts = Object.fromEntries(
    bookings.map(({ reference, attempt, stateName }) => [reference, `${stateName} ${attempt}`]),
  );
  expect(attempts).toMatchObject({
    'booking 2': 'SUCCEEDED 1',
    'booking 3': 'SUCCEEDED 2',
    'booking 4': 'SUCCEEDED 1',
  });
  expect(bookings.find(({ reference }) => reference === 'booking 3')!.worker).not.toBe(killed);
  const states = Object.fromEntries(
    payments.map(({ reference, attempt, stateName }) => [reference, `${stateName} ${attempt}`]),
  );
  expect(states).toEqual({
    ...Object.fromEntries([1, 3, 4, 6, 8].map((number) => [`payment ${number}`, 'SUCCEEDED 1'])),
    'payment 2': 'SUCCEEDED 2',
    'payment 5': 'FAILED 1',
  });
  expect((await service.waybill.queue('ledger-january').get()).state).toBe('finished');
  expect(notes).toContain('Expected order 7 to be in stock, but it is not: nothing is charged or booked');
});
