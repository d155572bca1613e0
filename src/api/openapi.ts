import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { EVENTS } from '../domain/events.js';
import { Problem } from './dto/problem.dto.js';
import { packageVersion } from './http/package-file.js';
import { OPENAPI_VERSION } from './input/schemas.js';

/** The OpenAPI document. Operations are named after their methods, and clients are generated from it. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const about = new DocumentBuilder()
    .setOpenAPIVersion(OPENAPI_VERSION)
    .setTitle('Waybill')
    .setDescription(
      'An event-sourced work queue: every task carries its waybill, an append-only record of what happened to it.',
    )
    .setVersion(packageVersion())
    .addBearerAuth(
      { type: 'http', description: 'An API key, if the service requires one (`WAYBILL_API_KEYS`).' },
      'key',
    )
    .addSecurityRequirements('key')
    .addTag('queues', 'Define, control and watch queues')
    .addTag('tasks', 'Enqueue, inspect and control tasks')
    .addTag('workers', 'Claim tasks, extend leases, report outcomes')
    .addTag('history', 'Read and follow events')
    .addTag('system', 'Workers, read models and health')
    .build();
  const document = SwaggerModule.createDocument(app, about, {
    operationIdFactory: (_controller, method) => method,
    extraModels: [Problem],
  });
  return Object.assign(document, { 'x-events': events() });
}

/** The facts about events that clients which show a history need. */
const events = () =>
  Object.fromEntries(
    Object.entries(EVENTS).map(([type, { category, version, effects }]) => [type, { category, version, effects }]),
  );
