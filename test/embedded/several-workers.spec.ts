import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { jest } from '@jest/globals';
import { WAYBILL, type Waybill, WaybillModule, type Worker } from '../../src/index.js';
import { HOOKS_MS } from '../../src/embedded/waybill.module.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

type Hook = 'onModuleDestroy' | 'beforeApplicationShutdown' | 'onApplicationShutdown';

/** A provider with a worker whose handlers run until the test ends them. Its hook notes who still works when it is called. */
function worksOf(stopsIn: Hook, queue: string, started: string[], ends: Map<string, () => void>): Type {
  @Injectable()
  class Works implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
    private readonly worker: Worker;

    constructor(@Inject(WAYBILL) private readonly waybill: Waybill) {
      this.worker = waybill.worker({ concurrency: 1, graceMs: 60_000, logger: null }).handle(queue, (task) => {
        started.push(`${queue} ${task.payload}`);
        return new Promise<void>((resolve) => ends.set(queue, resolve));
      });
    }

    async onApplicationBootstrap(): Promise<void> {
      await this.waybill.queue(queue).define();
      await this.worker.start();
    }

    async onModuleDestroy(): Promise<void> {
      await this.stopIn('onModuleDestroy');
    }

    async beforeApplicationShutdown(): Promise<void> {
      await this.stopIn('beforeApplicationShutdown');
    }

    async onApplicationShutdown(): Promise<void> {
      await this.stopIn('onApplicationShutdown');
    }

    private async stopIn(hook: Hook): Promise<void> {
      if (hook === stopsIn) await this.worker.stop();
    }
  }

  return Works;
}

function moduleOf(works: Type): Type {
  @Module({ providers: [works] })
  class WorksModule {}
  return WorksModule;
}

it.each<Hook>(['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'])(
  'given several modules that stop a worker each in %s, all of them stop claiming at the first sign and share one grace',
  async (stopsIn) => {
    const [started, ends]: [string[], Map<string, () => void>] = [[], new Map()];
    const [mail, print, scan] = ['mail', 'print', 'scan'].map((name) => `${name}-${stopsIn}`) as [
      string,
      string,
      string,
    ];
    const queues = [mail, print, scan];
    const [ofRoot, ...others] = queues.map((queue) => worksOf(stopsIn, queue, started, ends));
    @Module({
      imports: [
        WaybillModule.forRoot({ databaseUrl: database.url, roles: [], isGlobal: true }),
        ...others.map(moduleOf),
      ],
      providers: [ofRoot!],
    })
    class AppModule {}
    const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
    const waybill = app.get<Waybill>(WAYBILL);
    const first = new Map<string, string>();
    for (const queue of queues) first.set(queue, (await waybill.queue(queue).enqueue(1)).id);
    for (const queue of queues) await waybill.queue(queue).enqueue(2);
    await until('all workers to work', async () => (started.length === 3 ? true : null));
    const closing = app.close();
    // Nest waits for the worker of the root, or of another module, meanwhile. That of print has a free slot.
    ends.get(print)!();
    await until('the task of print to succeed', async () =>
      (await waybill.task(first.get(print)!).get()).state === 'succeeded' ? true : null,
    );
    // What the free slot would take is claimed by one request after the success.
    for (let turn = 0; turn < 10; turn++) await waybill.queue(mail).enqueue(turn + 3);
    for (const queue of [mail, scan]) ends.get(queue)!();
    await closing;
    expect(started.toSorted()).toEqual(queues.map((queue) => `${queue} 1`));
  },
);

it('given no shutdown hooks, the module warns', async () => {
  const warned: string[] = [];
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation((words) => void warned.push(String(words)));
  const listeners = process.listeners('SIGTERM');
  process.removeAllListeners('SIGTERM');
  try {
    const embedded = { waybill: { stopWorkers: async () => [] }, stop: async () => undefined };
    const providers = new Map<unknown, object>();
    const root = { providers, addProvider: ({ provide }: { provide: unknown }) => void providers.set(provide, {}) };
    const module = new WaybillModule(embedded as never, new Map([['root', root]]) as never);
    jest.useFakeTimers();
    module.onApplicationBootstrap();
    jest.advanceTimersByTime(HOOKS_MS);
    expect(warned).toEqual([
      expect.stringMatching(/^Expected app\.enableShutdownHooks\(\), but nobody listens to SIGTERM/),
    ]);
    process.on('SIGTERM', () => undefined);
    module.onApplicationBootstrap();
    jest.advanceTimersByTime(HOOKS_MS);
    expect(warned).toHaveLength(1);
  } finally {
    jest.useRealTimers();
    process.removeAllListeners('SIGTERM');
    for (const listener of listeners) process.on('SIGTERM', listener as () => void);
    warn.mockRestore();
  }
});
