import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  Optional,
} from '@nestjs/common';
import { MetricsExport } from '../../application/kernel/metrics-export.port.js';
import { within } from '../../application/kernel/within.js';
import { Metrics } from './metrics.js';

/** A service that stops waits no longer for a collector to take the last metrics. */
const LAST_MS = 2_000;

/**
 * Exports what `/metrics` tells, if metrics are exported somewhere: one round after the other, so that none waits behind a collector that is
 * away. The next one has the whole numbers, and nothing is lost.
 */
@Injectable()
export class MetricsPush implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('OpenTelemetry');
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private stopped = false;
  /** Whether the last round failed: a collector that is away is told of once. */
  private failing = false;

  constructor(
    private readonly metrics: Metrics,
    @Optional() private readonly target?: MetricsExport,
  ) {}

  onApplicationBootstrap(): void {
    if (this.target) this.later(this.target);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    const { target } = this;
    if (target)
      await inTime(
        LAST_MS,
        this.round.then(() => this.export(target)),
      ).catch((error: Error) => this.say(error));
  }

  private later(target: MetricsExport): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.round = this.export(target).then(() => this.later(target));
    }, target.everyMs);
    this.timer.unref();
  }

  private async export(target: MetricsExport): Promise<void> {
    try {
      await inTime(
        target.withinMs,
        this.metrics.told().then((told) => target.send(told)),
      );
      this.failing = false;
    } catch (error) {
      this.say(error as Error);
    }
  }

  private say({ message }: Error): void {
    if (!this.failing) this.logger.warn(`The metrics were not exported: ${message}. The next round sends them whole`);
    this.failing = true;
  }
}

/** Rejects if the work takes longer. */
async function inTime(ms: number, work: Promise<void>): Promise<void> {
  const done = await within(
    work.then(() => true),
    ms,
  );
  if (done === null) throw new Error(`Expected an answer within ${ms} ms, but there was none`);
}
