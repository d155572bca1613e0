// Writes openapi.json and the types generated from it, out of the built API (`npm run openapi` builds it first).
// With --check it writes nothing and fails where the committed files are not what it would write.
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { NestFactory } from '@nestjs/core';
import openapiTypescript, { astToString } from 'openapi-typescript';
import prettier from 'prettier';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const fileAt = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const DOCUMENT = fileAt('openapi.json');
const TYPES = fileAt('packages/contracts/src/generated.ts');

const built = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);

/** The document needs the controllers and their classes, never what would carry out their operations. */
async function document() {
  const { ApiModule } = await built('api/api.module.js');
  const { createHttpAdapter } = await built('api/bootstrap.js');
  const { openApiDocument } = await built('api/openapi.js');
  const { EventStore } = await built('application/kernel/event-store.port.js');
  const { ReadPositions } = await built('application/kernel/read-positions.port.js');
  const ports = [CommandBus, QueryBus, EventStore, ReadPositions];
  const nothing = { module: class Nothing {}, providers: ports.map((provide) => ({ provide, useValue: {} })), exports: ports };
  const app = await NestFactory.create(ApiModule.from(nothing), createHttpAdapter(), { logger: ['error'] });
  return openApiDocument(app);
}

/** @param {object} openapi */
async function typesOf(openapi) {
  const source = `// Generated from openapi.json by scripts/openapi.mjs: \`npm run openapi\`.\n\n${astToString(await openapiTypescript(openapi))}`;
  return prettier.format(source, { ...(await prettier.resolveConfig(TYPES)), filepath: TYPES });
}

/** @param {string} path @param {string} wanted */
async function differs(path, wanted) {
  return (await readFile(path, 'utf8').catch(() => '')) !== wanted;
}

const openapi = await document();
const outputs = [
  [DOCUMENT, `${JSON.stringify(openapi, null, 2)}\n`],
  [TYPES, await typesOf(openapi)],
];
if (process.argv.includes('--check')) {
  for (const [path, wanted] of outputs) {
    if (!(await differs(path, wanted))) continue;
    console.error(`Expected ${path} to be what the API says, but it is not: run \`npm run openapi\` and commit the difference`);
    process.exitCode = 1;
  }
} else {
  for (const [path, wanted] of outputs) await writeFile(path, wanted);
}
