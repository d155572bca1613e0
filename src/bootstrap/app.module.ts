import { type DynamicModule, Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module.js';
import type { DeliverySettings } from '../steward/deliveries/delivery-settings.js';
import { StewardModule } from '../steward/steward.module.js';
import { CoreModule, type CoreOptions } from './core.module.js';

/** The whole service, with the HTTP API. */
@Module({})
export class AppModule {
  static for(options: CoreOptions, deliveries: DeliverySettings): DynamicModule {
    const imports = [CoreModule.for(options), ApiModule.from(), StewardModule.for(deliveries)];
    return { module: AppModule, imports };
  }
}
