import type { Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { DELIVERIES } from '../../../src/application/queues/service-queues.js';
import { jitter } from '../../support/jitter.js';
import { Child } from '../child.js';
import { accepted, defineQueues, FIRED, KEYED, mixed, PATIENT, PLAIN } from '../load.js';
import { MONTHLY } from '../occurrences-at-once.js';
import type { OwnPostgres } from '../own-postgres.js';
import { Run } from '../run.js';
import { freePort } from '../ports.js';
import { type ServiceOptions, type ServiceProcess } from '../service-process.js';

export interface SceneOptions {
  /** One per process of the service. Two with all roles if absent. */
  readonly services?: readonly Partial<ServiceOptions>[];
  readonly producers?: number;
  /** The number of tasks per request. */
  readonly batch?: number;
  /** The longest pause between two requests of a producer. */
  readonly pauseMs?: number;
  /** Whether webhooks are delivered too. */
  readonly delivers?: boolean;
  /** Put between the services and their database. */
  readonly databaseUrl?: (url: string) => Promise<string>;
  /** Put between the services and the event store, if the events are not in the database. */
  readonly eventStoreUrl?: (url: string) => Promise<string>;
}

const LEASE_MS = 1_500;
const WORKERS = 2;
/** The longest pause between two deliveries. */
const DELIVERY_MS = 200;
/** The longest pause between two triggers. */
const TRIGGER_MS = 500;
/** The longest pause between two questions about the past. */
const PAST_MS = 200;
/** Also beyond the steps of the clocks. */
const AGO = ['1s', '10s', '59m', '61m'];
/** The longest pause between two passes of the archive. */
const ARCHIVE_MS = 500;
const RETRY = { retry: PATIENT };
const DAY = 86_400;

/** The environment of services that do not reach their event store directly. */
async function eventStoreEnv({ eventStoreUrl }: SceneOptions): Promise<Readonly<Record<string, string>>> {
  const { EVENT_STORE_URL: url } = process.env;
  return url && eventStoreUrl ? { EVENT_STORE_URL: await eventStoreUrl(url) } : {};
}

function ifNothingReady(error: unknown): void {
  if ((error as { code?: string }).code !== 'NOTHING_READY') throw error;
}

/** It is before the log, or before the queue. */
function ifBefore(error: unknown): void {
  if (![400, 404].includes((error as { status?: number }).status ?? 0)) throw error;
}

/** Processes of the service and workers, with clients that enqueue, change and read tasks until the scene is over. */
export class Scene {
  readonly workers: Child[] = [];
  private readonly loops: Promise<void>[] = [];
  private isOver = false;
  private count = 0;
  private monthly = 0;
  private end = new AbortController();
  private clients: readonly Waybill[];

  private constructor(
    readonly run: Run,
    readonly postgres: OwnPostgres,
    private readonly options: SceneOptions,
    private readonly startService: (at: number) => ServiceProcess,
    readonly services: ServiceProcess[],
    /** Of the processes with an API. */
    private readonly urls: readonly string[],
  ) {
    this.clients = this.connected();
  }

  static async open(postgres: OwnPostgres, options: SceneOptions): Promise<Scene> {
    const run = await Run.open(await postgres.createDatabase());
    const given = options.services ?? [{}, {}];
    const databaseUrl = await options.databaseUrl?.(run.databaseUrl);
    const eventStore = await eventStoreEnv(options);
    const ports = [run.port, ...(await Promise.all(given.slice(1).map(() => freePort())))];
    const startService = (at: number): ServiceProcess =>
      run.service({
        ...given[at],
        port: ports[at]!,
        ...(databaseUrl !== undefined && { databaseUrl }),
        env: { ...eventStore, ...given[at]!.env },
      });
    const services = given.map((_, at) => startService(at));
    const apis = services.filter((_, at) => (given[at]!.env?.WAYBILL_ROLES ?? 'api') === 'api');
    await Promise.all(apis.map((service) => service.ready()));
    const urls = apis.map(({ url }) => url);
    const scene = new Scene(run, postgres, options, startService, services, urls);
    await defineQueues(scene.clients[0]!);
    for (let at = 0; at < WORKERS; at++) scene.startWorker(at);
    await scene.begin();
    return scene;
  }

  /** Kills a process of the service with -9 and starts it again. */
  async killService(at: number, downMs = 0): Promise<void> {
    await this.services[at]!.kill();
    await jitter(downMs);
    this.services[at] = this.startService(at);
  }

  async killWorker(at: number): Promise<void> {
    await this.workers[at]!.kill();
    this.startWorker(at);
  }

  /**
   * Kills the clients and the services, and starts them again when the database is as it was at the moment. The workers go on, as those on
   * other machines do.
   */
  async restored(asOf: Date, restore: () => Promise<void>): Promise<void> {
    // Rejects with what a client did not expect before.
    await Promise.race([...this.loops, Promise.resolve()]);
    this.end.abort(new Error('Expected the client to have ended'));
    await Promise.allSettled(this.loops.splice(0));
    await Promise.all(this.services.map((service) => service.kill()));
    await restore();
    this.run.restored(asOf);
    for (const at of this.services.keys()) this.services[at] = this.startService(at);
    const apis = this.services.filter(({ url }) => this.urls.includes(url));
    await Promise.all(apis.map((service) => service.ready()));
    this.end = new AbortController();
    this.clients = this.connected();
    await this.begin();
  }

  /** Enqueues tasks on behalf of a cell. */
  async enqueue(count: number): Promise<void> {
    await accepted(this.clients[0]!.enqueueMany(mixed(this.take(count), count), RETRY));
  }

  /** The service's own leases are long. Those of running deliveries end as soon as those of the workers. */
  async shortenDeliveries(): Promise<void> {
    const deadline = `now() + interval '${LEASE_MS} milliseconds'`;
    const shortened = `update leases set deadline = least(deadline, ${deadline}) where queue = $1`;
    await this.run.pool.query(shortened, [DELIVERIES.name]);
  }

  /** Stops the load, and resolves when every task has ended. Rejects with what a client did not expect. */
  async calm(patienceMs: number): Promise<void> {
    this.isOver = true;
    await Promise.all(this.loops);
    await this.run.triggersFired(patienceMs);
    await this.run.settled(patienceMs);
    for (const worker of this.workers) worker.signal('SIGTERM');
    await Promise.all(this.workers.map(({ ended }) => ended));
    await this.run.caughtUp();
  }

  async close(): Promise<void> {
    this.isOver = true;
    await this.run.close();
  }

  private connected(): readonly Waybill[] {
    return this.urls.map((url) => this.run.client(url, this.end.signal));
  }

  private async begin(): Promise<void> {
    this.load(this.options);
    await this.trigger();
    this.archive();
    this.lookBack();
    if (this.options.delivers) this.deliver((await this.run.webhooks()).url);
  }

  private startWorker(at: number): void {
    const env = { SERVICE_URL: this.urls[at % this.urls.length]!, WORKER: `w${at}`, LEASE_MS: String(LEASE_MS) };
    this.workers[at] = new Child('test/chaos/worker-process.ts', env);
    this.run.include(this.workers[at]);
  }

  private load({ producers = 2, batch = 10, pauseMs = 60 }: SceneOptions): void {
    for (let at = 0; at < producers; at++) {
      const [here, there] = [this.clients[at % this.clients.length]!, this.clients[(at + 1) % this.clients.length]!];
      this.loop(async () => {
        await this.produce(here, there, batch);
        await jitter(pauseMs);
      });
    }
  }

  /**
   * One trigger waits for failures. Again and again there is a new one with occurrences that have come, and one makes a
   * job of tasks that workers claim too: by hand, because steps of the clocks would let it wait.
   */
  private async trigger(): Promise<void> {
    const [waybill, task] = [this.clients[0]!, { queue: FIRED }];
    const event = { types: ['TaskFailed' as const], queue: KEYED };
    await waybill.trigger('failures').define({ event, task }, RETRY);
    const looks = { queue: PLAIN, batchSize: 3, every: DAY, leaseMs: LEASE_MS };
    await waybill.trigger('jobs').define({ ...looks, task }, RETRY);
    this.loop(async () => {
      await waybill.trigger(`monthly-${this.monthly++}`).define({ ...MONTHLY, task }, RETRY);
      await jitter(TRIGGER_MS);
    });
    this.loop(async () => {
      await waybill.trigger('jobs').fire(RETRY).catch(ifNothingReady);
      await jitter(TRIGGER_MS);
    });
  }

  /** Ended tasks leave the lists. A new policy begins a pass at once, instead of minutes after the last one. */
  private archive(): void {
    const queue = this.clients[0]!.queue(PLAIN);
    let days = 0;
    this.loop(async () => {
      const { policyVersion } = await queue.get(RETRY);
      const retention = { succeeded: 0, failed: 0, cancelled: ++days };
      await queue.changePolicy({ retention }, { ifVersion: policyVersion, idempotencyKey: uuidv7(), ...RETRY });
      await jitter(ARCHIVE_MS);
    });
  }

  /** Asks for times of the past, by the clock of each service. */
  private lookBack(): void {
    let count = 0;
    this.loop(async () => {
      const [client, ago] = [this.clients[count % this.clients.length]!, AGO[count % AGO.length]!];
      count++;
      await client.asOf(ago).queue(KEYED).tally(RETRY).catch(ifBefore);
      await jitter(PAST_MS);
    });
  }

  private deliver(url: string): void {
    const webhook = { url, secret: 'run', type: 'com.example.counted', data: null };
    this.loop(async () => {
      await this.clients[0]!.deliver({ id: uuidv7(), webhook }, RETRY);
      await jitter(DELIVERY_MS);
    });
  }

  private loop(step: () => Promise<void>): void {
    const again = async (): Promise<void> => {
      while (!this.isOver) await step();
    };
    const loop = again();
    loop.catch(() => undefined); // reported by `calm`
    this.loops.push(loop);
  }

  /** Enqueues at one service, then asks the other one for the answer's state and repeats a command there. */
  private async produce(here: Waybill, there: Waybill, batch: number): Promise<void> {
    const [first] = await accepted(here.enqueueMany(mixed(this.take(batch), batch), RETRY));
    const { id, position } = first as { id: string; position: string };
    await there.task(id).get({ minPosition: position, ...RETRY });
    await there.asOf(position).task(id).get(RETRY);
    const once = { idempotencyKey: uuidv7(), ...RETRY };
    for (const waybill of [here, there]) await waybill.task(id).prioritise(5, once).catch(ifRefused);
  }

  private take(count: number): number {
    this.count += count;
    return this.count - count;
  }
}

/** The task may have ended meanwhile. */
function ifRefused(error: unknown): void {
  const { status = 0 } = error as { status?: number };
  if (status !== 409) throw error;
}
