import { ConfigurableModuleBuilder, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Waybill } from '@waybill/client';
import { type EmbeddedOptions, type EmbeddedWaybill, startWaybill } from './start-waybill.js';

/** The token of the client: `@Inject(WAYBILL) private readonly waybill: Waybill`. */
export const WAYBILL = Symbol('Waybill');

const EMBEDDED = Symbol('EmbeddedWaybill');

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<EmbeddedOptions>()
  .setClassMethodName('forRoot')
  .setExtras({ isGlobal: false }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
  .build();

/**
 * Waybill inside a Nest application: `imports: [WaybillModule.forRoot({ … })]`, or `forRootAsync`. It stops with the
 * application, after the application's own modules, so that their workers have already stopped.
 */
@Module({
  providers: [
    {
      provide: EMBEDDED,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: EmbeddedOptions) => startWaybill(options, {}),
    },
    { provide: WAYBILL, inject: [EMBEDDED], useFactory: ({ waybill }: EmbeddedWaybill): Waybill => waybill },
  ],
  exports: [WAYBILL],
})
export class WaybillModule extends ConfigurableModuleClass implements OnApplicationShutdown {
  constructor(@Inject(EMBEDDED) private readonly embedded: EmbeddedWaybill) {
    super();
  }

  onApplicationShutdown(): Promise<void> {
    return this.embedded.stop();
  }
}
