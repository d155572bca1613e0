import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
import { ClaimsController } from './controllers/claims.controller.js';
import { EventsController } from './controllers/events.controller.js';
import { HealthController } from './controllers/health.controller.js';
import { MetricsController } from './controllers/metrics.controller.js';
import { QueuesController } from './controllers/queues.controller.js';
import { SettlementsController } from './controllers/settlements.controller.js';
import { SubmissionsController } from './controllers/submissions.controller.js';
import { SystemController } from './controllers/system.controller.js';
import { TasksController } from './controllers/tasks.controller.js';
import { TransactionsController } from './controllers/transactions.controller.js';
import { ProblemFilter } from './http/problem.filter.js';
import { Metrics } from './metrics/metrics.js';
import { OperationsModule } from './operations/operations.module.js';

/** The HTTP API. See `OperationsModule` for what the given modules provide. */
@Module({})
export class ApiModule {
  static from(...imports: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return {
      module: ApiModule,
      imports: [OperationsModule.from(...imports), TerminusModule.forRoot({ logger: false }), ...imports],
      controllers: [
        QueuesController,
        SubmissionsController,
        TasksController,
        ClaimsController,
        SettlementsController,
        TransactionsController,
        EventsController,
        SystemController,
        HealthController,
        MetricsController,
      ],
      providers: [Metrics, { provide: APP_FILTER, useClass: ProblemFilter }],
    };
  }
}
