import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
import { CONTROLLERS } from './controllers/index.js';
import { HealthController } from './controllers/health.controller.js';
import { InboundController } from './controllers/inbound.controller.js';
import { MetricsController } from './controllers/metrics.controller.js';
import { TileLogController } from './controllers/tile-log.controller.js';
import { ProblemFilter } from './http/problem.filter.js';
import { UsedKeysWriter } from './access/used-keys.js';
import { Metrics } from './metrics/metrics.js';
import { MetricsPush } from './metrics/metrics-push.js';
import { TransactionsController } from './transactions/transactions.controller.js';
import { PreviewsController } from './previews/previews.controller.js';
import { OperationsModule } from './operations/operations.module.js';

/** The HTTP API. See `OperationsModule` for what the given modules provide. */
@Module({})
export class ApiModule {
  static from(...imports: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return {
      module: ApiModule,
      imports: [OperationsModule.from(...imports), TerminusModule.forRoot({ logger: false }), ...imports],
      controllers: [
        ...CONTROLLERS,
        TransactionsController,
        PreviewsController,
        HealthController,
        InboundController,
        MetricsController,
        TileLogController,
      ],
      providers: [Metrics, MetricsPush, UsedKeysWriter, { provide: APP_FILTER, useClass: ProblemFilter }],
    };
  }
}
