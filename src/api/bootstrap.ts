import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { serveDashboard } from './dashboard.js';
import { type Access, WaybillHttpAdapter } from './http/http-adapter.js';
import { openApiDocument } from './openapi.js';

/** The adapter to create the application with: `NestFactory.create(AppModule, createHttpAdapter())`. */
export const createHttpAdapter = (access: Access = {}): WaybillHttpAdapter => new WaybillHttpAdapter(access);

/** To be called before the application listens: `/dashboard`, `/openapi.json`, `/docs`, and an orderly end on signals. */
export function configureApi(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance();
  app.enableShutdownHooks();
  serveDashboard(server);
  // What the adapter registered is there by then: it looks at each route that is added.
  server.after(() => serveDocument(app));
}

function serveDocument(app: NestFastifyApplication): void {
  // Built when it is first asked for: a process that only serves tasks does not pay for it.
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Waybill API',
  });
}
