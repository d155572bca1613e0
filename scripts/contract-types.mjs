// Writes the types of the HTTP API out of the committed openapi.json (`npm run openapi` does so, too).
// With --check it writes nothing, and fails where the committed types are not those that it would write.
import openapiTypescript, { astToString } from 'openapi-typescript';
import prettier from 'prettier';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const fileAt = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const TYPES = fileAt('packages/contracts/src/generated.ts');

const HEAD = '// Generated from openapi.json by scripts/contract-types.mjs: `npm run openapi`.';

/** @param {object} openapi */
async function typesOf(openapi) {
  const source = `${HEAD}\n\n${astToString(await openapiTypescript(openapi))}`;
  return prettier.format(source, { ...(await prettier.resolveConfig(TYPES)), filepath: TYPES });
}

/** @param {object} openapi */
export async function writeTypes(openapi) {
  await writeFile(TYPES, await typesOf(openapi));
}

async function check() {
  const openapi = JSON.parse(await readFile(fileAt('openapi.json'), 'utf8'));
  const wanted = await typesOf(openapi);
  if ((await readFile(TYPES, 'utf8').catch(() => '')) === wanted) return;
  console.error(
    'Expected the types to follow from openapi.json, but they do not: run `npm run openapi` and commit the difference',
  );
  process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--check')) await check();
  else await writeTypes(JSON.parse(await readFile(fileAt('openapi.json'), 'utf8')));
}
