import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { WaybillHttpAdapter } from './http/http-adapter.js';
import { openApiDocument } from './openapi.js';

/** The adapter to create the application with: `NestFactory.create(AppModule, createHttpAdapter())`. */
export const createHttpAdapter = (): WaybillHttpAdapter => new WaybillHttpAdapter();

/** To be called before the application listens: `/openapi.json`, `/docs`, and an orderly end on signals. */
export function configureApi(app: NestFastifyApplication): void {
  app.enableShutdownHooks();
  // Built when it is first asked for: a process that only serves tasks does not pay for it.
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Waybill API',
  });
}
