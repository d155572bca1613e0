import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { serveDashboard } from './dashboard.js';
import { type Access, WaybillHttpAdapter } from './http/http-adapter.js';
import { openApiDocument } from './openapi.js';

/** The adapter to create the application with: `NestFactory.create(AppModule, createHttpAdapter())`. */
export const createHttpAdapter = (access: Access = {}): WaybillHttpAdapter => new WaybillHttpAdapter(access);

/** Serves what `servePages` does, and stops the application in order on signals. Call it before the application listens. */
export function configureApi(app: NestFastifyApplication): void {
  app.enableShutdownHooks();
  servePages(app);
}

/** Serves `/dashboard`, `/openapi.json` and `/docs`. Call it before the application is initialised. */
export function servePages(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance();
  serveDashboard(server);
  // Runs after the adapter's plugins, which must see every route that is added.
  server.after(() => serveDocument(app));
}

function serveDocument(app: NestFastifyApplication): void {
  // Built on the first request, so a process that only serves tasks does not pay for it.
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Waybill API',
  });
}
