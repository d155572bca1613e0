import {
  ConfigurableModuleBuilder,
  Inject,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Waybill } from '@waybill/client';
import { atFirstSign } from './first-sign.js';
import { sharedWaybill } from './shared-waybills.js';
import type { Serve } from './mount.js';
import { type EmbeddedOptions, type EmbeddedWaybill, startWaybill } from './start-waybill.js';

/** The token of the client: `@Inject(WAYBILL) private readonly waybill: Waybill`. */
export const WAYBILL = Symbol('Waybill');

/** The token of `serve`, which answers requests to the dashboard and the API: `app.get<Serve>(WAYBILL_SERVE)`. */
export const WAYBILL_SERVE = Symbol('WaybillServe');

/** How long after the start of the application its shutdown hooks are missed. */
export const HOOKS_MS = 5_000;

const EMBEDDED = Symbol('EmbeddedWaybill');

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<EmbeddedOptions>()
  .setClassMethodName('forRoot')
  .setExtras({ isGlobal: false }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
  .build();

/**
 * Waybill inside a Nest application: `imports: [WaybillModule.forRoot({ … })]`, or `forRootAsync`. Modules that import it
 * with the same options have one Waybill. It stops with the
 * application, after the application's own modules, so that their workers have already stopped.
 */
@Module({
  providers: [
    {
      provide: EMBEDDED,
      inject: [MODULE_OPTIONS_TOKEN, ModulesContainer],
      useFactory: (options: EmbeddedOptions, application: ModulesContainer) =>
        sharedWaybill(application, options, (own) => startWaybill(own, {})),
    },
    { provide: WAYBILL, inject: [EMBEDDED], useFactory: ({ waybill }: EmbeddedWaybill): Waybill => waybill },
    { provide: WAYBILL_SERVE, inject: [EMBEDDED], useFactory: ({ serve }: EmbeddedWaybill): Serve => serve },
  ],
  exports: [WAYBILL, WAYBILL_SERVE],
})
export class WaybillModule
  extends ConfigurableModuleClass
  implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown
{
  private readonly logger = new Logger('Waybill');
  private look: NodeJS.Timeout | null = null;

  constructor(
    @Inject(EMBEDDED) private readonly embedded: EmbeddedWaybill,
    private readonly application: ModulesContainer,
  ) {
    super();
  }

  /**
   * Before all hooks in which applications stop their workers, which Nest calls one after the other, no worker claims any more, and
   * their grace times pass side by side. Whoever stops a worker waits for this stop. Applications enable the hooks after
   * they have been created, which is after this.
   */
  onApplicationBootstrap(): void {
    atFirstSign(this.application, () => void this.embedded.waybill.stopWorkers());
    this.look = setTimeout(() => this.warnOfMissingHooks(), HOOKS_MS).unref();
  }

  onModuleDestroy(): void {
    if (this.look) clearTimeout(this.look);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.embedded.waybill.stopWorkers();
    await this.embedded.stop();
  }

  private warnOfMissingHooks(): void {
    if (process.listenerCount('SIGTERM') > 0) return;
    this.logger.warn(
      'Expected app.enableShutdownHooks(), but nobody listens to SIGTERM: a signal ends the process at once, and its running tasks wait until their leases end',
    );
  }
}
