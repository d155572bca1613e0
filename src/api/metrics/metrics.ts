import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { QueryBus } from '@nestjs/cqrs';
import { Registry } from 'prom-client';
import type { ToldMetric, ToldMetrics } from '../../application/kernel/metrics-export.port.js';
import { PayloadFigures } from '../../application/kernel/payload-figures.js';
import { Deduplications } from '../../application/tasks/deduplications.js';
import { SumFailureGroups } from '../../projections/failure-groups/failure-group-figures.query.js';
import { GetProjectionLag } from '../../projections/lag/lag.queries.js';
import { SummariseQueues } from '../../projections/queue-stats/queue-summaries.query.js';
import { GetOperationFigures } from '../../projections/tasks/operation-figures.query.js';
import { GetLog } from '../../projections/seals/get-log.query.js';
import { CountedSince } from '../../projections/system/counted-since.query.js';
import { GetSystem } from '../../projections/system/system.queries.js';
import type { WaybillHttpAdapter } from '../http/http-adapter.js';
import { ACCESS_FAMILIES } from './access-families.js';
import { FAILURE_FAMILIES } from './failure-families.js';
import { registerFamilies } from './families.js';
import { registerHistograms } from './histogram-families.js';
import { INTAKE_FAMILIES } from './intake-families.js';
import { OPERATION_FAMILIES } from './operation-families.js';
import { PAYLOAD_FAMILIES } from './payload-families.js';
import { processMetrics } from './process-metrics.js';
import { PROJECTION_FAMILIES } from './projection-families.js';
import { labelled, QUEUE_FAMILIES, QUEUE_HISTOGRAMS } from './queue-families.js';
import { SEAL_FAMILIES } from './seal-families.js';
import { SYSTEM_FAMILIES } from './system-families.js';

/** The most queues with time series of their own. Further queues share one. */
const MOST_QUEUES = 200;

/** The most groups of failures with time series of their own. Further groups have none. */
const MOST_GROUPS = 20;

/**
 * The metrics for Prometheus. Those of queues and followers are the same in every process; those of requests and of the
 * process are its own.
 */
@Injectable()
export class Metrics {
  constructor(
    private readonly queries: QueryBus,
    private readonly server: HttpAdapterHost<WaybillHttpAdapter>,
    private readonly deduplications: Deduplications,
    private readonly payloads: PayloadFigures,
  ) {}

  /** The metrics in the text format of Prometheus. */
  async read(): Promise<string> {
    return Registry.merge([await this.shared(), ...this.ofProcess()]).metrics();
  }

  /** The same, for an export. */
  async told(): Promise<readonly ToldMetrics[]> {
    const [shared, since] = await Promise.all([this.shared(), this.queries.execute(new CountedSince())]);
    return [
      { since, metrics: await toldBy(shared) },
      { since: new Date(performance.timeOrigin), metrics: await toldBy(Registry.merge(this.ofProcess())) },
    ];
  }

  private ofProcess(): Registry[] {
    return [this.server.httpAdapter.requestTimes.registry, this.own(), processMetrics()];
  }

  private own(): Registry {
    const registry = new Registry();
    registerFamilies(registry, ACCESS_FAMILIES, [this.server.httpAdapter]);
    registerFamilies(registry, INTAKE_FAMILIES, [this.deduplications]);
    registerFamilies(registry, PAYLOAD_FAMILIES, [this.payloads]);
    return registry;
  }

  private async shared(): Promise<Registry> {
    const [queues, failures, followers, system, log, operations] = await Promise.all([
      this.queries.execute(new SummariseQueues(MOST_QUEUES)),
      this.queries.execute(new SumFailureGroups(MOST_GROUPS)),
      this.queries.execute(new GetProjectionLag()),
      this.queries.execute(new GetSystem()),
      this.queries.execute(new GetLog()),
      this.queries.execute(new GetOperationFigures()),
    ]);
    const registry = new Registry();
    const labelledQueues = queues.map(labelled);
    registerFamilies(registry, QUEUE_FAMILIES, labelledQueues);
    registerHistograms(registry, QUEUE_HISTOGRAMS, labelledQueues);
    registerFamilies(registry, FAILURE_FAMILIES, [failures]);
    registerFamilies(registry, PROJECTION_FAMILIES, followers);
    registerFamilies(registry, SYSTEM_FAMILIES, [system]);
    registerFamilies(registry, SEAL_FAMILIES, [log]);
    registerFamilies(registry, OPERATION_FAMILIES, [operations]);
    return registry;
  }
}

/** The types of prom-client say that a metric's type is a number. It is its name. */
const toldBy = async (registry: Registry): Promise<readonly ToldMetric[]> =>
  (await registry.getMetricsAsJSON()) as unknown as readonly ToldMetric[];
