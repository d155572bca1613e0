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
