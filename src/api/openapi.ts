import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { EVENTS } from '../domain/events.js';
import { Problem } from './dto/problem.dto.js';
import { packageVersion } from './http/shipped.js';
import { OPENAPI_VERSION } from './input/schemas.js';

/** The document of the HTTP API. Operations are named by their methods; clients are generated from it. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const about = new DocumentBuilder()
    .setOpenAPIVersion(OPENAPI_VERSION)
    .setTitle('Waybill')
    .setDescription(
      'An event-sourced work queue: every task carries its waybill, an append-only record of what happened to it.',
    )
    .setVersion(packageVersion())
    .addBearerAuth({ type: 'http', description: 'One of `WAYBILL_API_KEYS`, where the service asks for them.' }, 'key')
    .addSecurityRequirements('key')
    .addTag('queues', 'Define, steer and watch queues')
    .addTag('tasks', 'Hand tasks in, look at them, steer them')
    .addTag('workers', 'Claim tasks, keep them, settle them')
    .addTag('history', 'Read and follow the record')
    .addTag('system', 'Workers, read models and health')
    .build();
  const document = SwaggerModule.createDocument(app, about, {
    operationIdFactory: (_controller, method) => method,
    extraModels: [Problem],
  });
  return Object.assign(document, { 'x-events': events() });
}

/** What those who show a history know of its events. */
const events = () =>
  Object.fromEntries(
    Object.entries(EVENTS).map(([type, { category, version, effects }]) => [type, { category, version, effects }]),
  );
