import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { type ApiKey, ApiKeys } from './access/api-keys.js';
import { serveDashboard } from './dashboard.js';
import { WaybillHttpAdapter } from './http/http-adapter.js';
import { openApiDocument } from './openapi.js';

/** The adapter to create the application with: `NestFactory.create(AppModule, createHttpAdapter())`. With keys it asks for one. */
export const createHttpAdapter = (keys: readonly ApiKey[] | null = null): WaybillHttpAdapter =>
  new WaybillHttpAdapter(keys && new ApiKeys(keys));

/** To be called before the application listens: `/dashboard`, `/openapi.json`, `/docs`, and an orderly end on signals. */
export function configureApi(app: NestFastifyApplication): void {
  app.enableShutdownHooks();
  serveDashboard(app.getHttpAdapter().getInstance());
  // Built when it is first asked for: a process that only serves tasks does not pay for it.
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Waybill API',
  });
}
