import { type DynamicModule, Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module.js';
import { StewardModule } from '../steward/steward.module.js';
import { CoreModule, type CoreOptions } from './core.module.js';

/** The whole service, with the HTTP API. */
@Module({})
export class AppModule {
  static for(options: CoreOptions): DynamicModule {
    return { module: AppModule, imports: [CoreModule.for(options), ApiModule.from(), StewardModule] };
  }
}
