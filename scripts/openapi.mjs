// Writes openapi.json from the built API, and the types that follow from it (`npm run openapi` builds first).
// test/api/contracts.spec.ts fails if the committed files differ.
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { NestFactory } from '@nestjs/core';
import { writeFile } from 'node:fs/promises';
import { writeTypes } from './contract-types.mjs';
import { writePythonTypes } from './python-types.mjs';

const built = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);

/** The document needs the controllers and their classes, but not the services that carry out their operations. */
async function document() {
  const { ApiModule } = await built('api/api.module.js');
  const { createHttpAdapter } = await built('api/bootstrap.js');
  const { openApiDocument } = await built('api/openapi.js');
  const { Clock } = await built('application/kernel/clock.port.js');
  const { EventReads, EventStore } = await built('application/kernel/event-store.port.js');
  const { LiveLog } = await built('application/kernel/live-log.port.js');
  const { DeliveryTargets } = await built('application/deliveries/delivery-targets.port.js');
  const { InboundSecrets } = await built('api/access/inbound-secrets.js');
  const { TriggerStates } = await built('application/triggers/trigger-states.port.js');
  const { Deduplications } = await built('application/tasks/deduplications.js');
  const { KeyUses } = await built('application/kernel/key-uses.port.js');
  const { WakeUps } = await built('application/kernel/wake-ups.port.js');
  const { Writes } = await built('application/kernel/writes.port.js');
  const { OutsidePayloads } = await built('application/kernel/outside-payloads.js');
  const { PayloadFigures } = await built('application/kernel/payload-figures.js');
  const { PayloadStore } = await built('application/kernel/payload-store.port.js');
  const { ReadPositions } = await built('application/kernel/read-positions.port.js');
  const { Past } = await built('projections/kernel/past.port.js');
  const { WholeTransactions } = await built('projections/kernel/whole-transactions.port.js');
  const ports = [
    CommandBus,
    QueryBus,
    Clock,
    EventStore,
    EventReads,
    LiveLog,
    ReadPositions,
    Past,
    WholeTransactions,
    KeyUses,
    DeliveryTargets,
    InboundSecrets,
    TriggerStates,
    Deduplications,
    WakeUps,
    OutsidePayloads,
    PayloadFigures,
    PayloadStore,
    Writes,
  ];
  const nothing = {
    module: class Nothing {},
    providers: ports.map((provide) => ({ provide, useValue: {} })),
    exports: ports,
  };
  const app = await NestFactory.create(ApiModule.from(nothing), createHttpAdapter(), { logger: ['error'] });
  return openApiDocument(app);
}

const openapi = await document();
await writeFile(new URL('../openapi.json', import.meta.url), `${JSON.stringify(openapi, null, 2)}\n`);
await writeTypes(openapi);
await writePythonTypes(openapi);
