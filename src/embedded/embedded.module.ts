import { type DynamicModule, Module } from '@nestjs/common';
import { CONTROLLERS } from '../api/controllers/index.js';
import { OperationsModule } from '../api/operations/operations.module.js';
import { PreviewsController } from '../api/previews/previews.controller.js';
import { TransactionsController } from '../api/transactions/transactions.controller.js';
import { CoreModule, type CoreOptions } from '../bootstrap/core.module.js';
import type { DeliveryTargets } from '../application/deliveries/delivery-targets.port.js';
import type { DeliverySettings } from '../steward/deliveries/delivery-settings.js';
import { StewardModule } from '../steward/steward.module.js';

/** The service without HTTP. `targets` instead of those that the settings allow. */
@Module({})
export class EmbeddedModule {
  static for(options: CoreOptions, deliveries: DeliverySettings, targets?: DeliveryTargets): DynamicModule {
    return {
      module: EmbeddedModule,
      imports: [CoreModule.for(options), OperationsModule.from(), StewardModule.for(deliveries, targets)],
      // Called without HTTP.
      providers: [...CONTROLLERS, TransactionsController, PreviewsController],
    };
  }
}
