// Writes the generated part of the contracts from the committed openapi.json: the types of the HTTP API, its
// operations, and the catalogue of events. `npm run openapi` runs it. With --check it writes nothing, and fails if the
// committed files are out of date.
import openapiTypescript, { astToString } from 'openapi-typescript';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { formatted } from './formatted.mjs';

const fileAt = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const HEAD = '// Generated from openapi.json by scripts/contract-types.mjs: `npm run openapi`.';

/** What a client needs to know of each operation. Those outside `/v1/` are for the platform that runs the service, and what has no idempotency is no operation. */
const routesIn = ({ paths }) =>
  Object.fromEntries(
    Object.entries(paths)
      .filter(([path]) => path.startsWith('/v1/'))
      .flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([, operation]) => operation['x-waybill'].idempotency !== undefined)
          .map((operation) => routeAt(path, ...operation)),
      ),
  );

const routeAt = (path, method, { operationId, summary, parameters = [], 'x-waybill': { idempotency } }) => [
  operationId,
  {
    method: method.toUpperCase(),
    path,
    idempotency,
    ...(parameters.some(({ name }) => name === 'minPosition') && { minPosition: true }),
    summary,
  },
];

/** Creates the content of each file from the document. */
const FILES = {
  'packages/contracts/src/generated.ts': async (openapi) => astToString(await openapiTypescript(openapi)),
  'packages/contracts/src/schemas.ts': ({ components: { schemas } }) =>
    `import type { components } from './generated.js';

    type Schemas = components['schemas'];

    ${Object.keys(schemas)
      .map((name) => `export type ${name} = Schemas['${name}'];`)
      .join('\n')}`,
  'packages/contracts/src/operations.ts': (openapi) =>
    `/**
     * Every operation of the HTTP API, by its id. \`{name}\` in a path is a parameter. \`idempotency\` says what identifies a
     * repeated request: its \`Idempotency-Key\`, or an id or a token of its own. A query needs nothing, because it changes nothing.
     * \`minPosition\`: the query can wait for a position.
     */
    export const OPERATIONS = ${JSON.stringify(routesIn(openapi))} as const;

    export type OperationId = keyof typeof OPERATIONS;`,
  'packages/contracts/src/events.ts': (openapi) =>
    `/** Every event that the service records, by its type. */
    export const EVENTS = ${JSON.stringify(openapi['x-events'])} as const;

    export type EventType = keyof typeof EVENTS;
    export type EventEffect = (typeof EVENTS)[EventType]['effects'][number];`,
};

/** @param {object} openapi */
async function* written(openapi) {
  for (const [path, source] of Object.entries(FILES)) {
    const file = fileAt(path);
    const text = `${HEAD}\n\n${await source(openapi)}`;
    yield [file, await formatted(file, text)];
  }
}

/** @param {object} openapi */
export async function writeTypes(openapi) {
  for await (const [file, text] of written(openapi)) await writeFile(file, text);
}

async function check() {
  const openapi = JSON.parse(await readFile(fileAt('openapi.json'), 'utf8'));
  for await (const [file, wanted] of written(openapi)) {
    if ((await readFile(file, 'utf8').catch(() => '')) === wanted) continue;
    console.error(
      `Expected '${file}' to follow from openapi.json, but it does not: run \`npm run openapi\` and commit the difference`,
    );
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--check')) await check();
  else await writeTypes(JSON.parse(await readFile(fileAt('openapi.json'), 'utf8')));
}
