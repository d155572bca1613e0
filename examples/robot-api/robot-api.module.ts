import { type DynamicModule, Module, Scope, ValidationPipe } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, REQUEST } from '@nestjs/core';
import type { Waybill } from '@waybill/client';
import { ProblemsFilter } from './problems.filter.js';
import { QueueFinder, WAYBILL } from './queue-finder.js';
import { QueueItemsController } from './queue-items.controller.js';
import { QueuesController } from './queues.controller.js';
import { StatusChanges } from './status-changes.js';
import { TriggersController } from './triggers.controller.js';

interface Asked {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The API key that a robot sends, in either of the usual headers. */
const keyIn = ({ headers }: Asked): string | undefined =>
  headers['x-api-key'] ?? /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];

/** The routes of a queue system for robots, over Waybill: programs that speak them need no change. */
@Module({})
export class RobotApiModule {
  /** `withKey` makes the client of a request that brings an API key of its own: the service then decides what its caller may. */
  static over(waybill: Waybill, withKey: (apiKey: string) => Waybill): DynamicModule {
    const clientOf = (request: Asked): Waybill => {
      const apiKey = keyIn(request);
      return apiKey === undefined ? waybill : withKey(apiKey);
    };
    return {
      module: RobotApiModule,
      controllers: [QueuesController, QueueItemsController, TriggersController],
      providers: [
        { provide: WAYBILL, scope: Scope.REQUEST, useFactory: clientOf, inject: [REQUEST] },
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
