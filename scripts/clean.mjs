import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

// A renamed or deleted file must leave nothing behind, because these folders are published as they are.
for (const folder of [
  '',
  'packages/contracts/',
  'packages/client/',
  'packages/otel/',
  'packages/mcp/',
  'packages/cli/',
  'packages/dashboard/',
  'packages/testing/',
]) {
  await rm(fileURLToPath(new URL(`../${folder}dist`, import.meta.url)), { recursive: true, force: true });
}
