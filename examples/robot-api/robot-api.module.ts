import { type DynamicModule, Module, ValidationPipe } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import type { Waybill } from '@waybill/client';
import { ProblemsFilter } from './problems.filter.js';
import { QueueFinder, WAYBILL } from './queue-finder.js';
import { QueueItemsController } from './queue-items.controller.js';
import { QueuesController } from './queues.controller.js';
import { StatusChanges } from './status-changes.js';

/** The routes of a queue system for robots, over Waybill: programs that speak them need no change. */
@Module({})
export class RobotApiModule {
  static over(waybill: Waybill): DynamicModule {
    return {
      module: RobotApiModule,
      controllers: [QueuesController, QueueItemsController],
      providers: [
        { provide: WAYBILL, useValue: waybill },
        {
          provide: APP_PIPE,
          useValue: new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }),
        },
        { provide: APP_FILTER, useClass: ProblemsFilter },
        QueueFinder,
        StatusChanges,
      ],
    };
  }
}
