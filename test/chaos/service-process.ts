import { triedToListen } from '../../src/bootstrap/listening.js';
import { until } from '../support/until.js';
import { Child } from './child.js';
import { type Crash, crashText } from './crash-points.js';

export interface ServiceOptions {
  readonly databaseUrl: string;
  readonly port: number;
  /** Defaults to `test/chaos/crashing-service.ts`. */
  readonly module?: string;
  readonly crash?: Crash;
  readonly env?: Readonly<Record<string, string>>;
}

/** The service in a process of its own, on a fixed port, so that clients find it again after a restart. */
export class ServiceProcess extends Child {
  readonly url: string;

  constructor({ databaseUrl, port, module = 'test/chaos/crashing-service.ts', crash, env }: ServiceOptions) {
    super(module, {
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      WAYBILL_LOG_LEVEL: 'warn',
      WAYBILL_LOG_FORMAT: 'text',
      ...(crash && { CRASH_AT: crashText(crash) }),
      ...env,
    });
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Resolves when the service is ready. Rejects if its process ends instead. */
  async ready(): Promise<this> {
    await until('the service to be ready', async () => {
      if (this.end) throw new Error(`Expected the service to be ready, but it ended: ${this.errors}`);
      const answer = await fetch(`${this.url}/healthz/ready`).catch(() => null);
      return answer?.status === 200 ? true : null;
    });
    return this;
  }
}

/**
 * A port below those that systems assign, and reserved for this worker of this run, so that nobody takes it while a service is
 * down. Runs at the same time were started by processes with neighbouring ids.
 */
export async function freePort(): Promise<number> {
  const worker = Number(process.env.JEST_WORKER_ID ?? 0) % WORKERS;
  const first = 20_000 + PORTS_PER_WORKER * (WORKERS * (process.ppid % RUNS) + worker);
  for (;;) {
    const port = first + Math.floor(Math.random() * PORTS_PER_WORKER);
    if ((await triedToListen('127.0.0.1', port)) === null) return port;
  }
}

const [RUNS, WORKERS, PORTS_PER_WORKER] = [10, 12, 100];
