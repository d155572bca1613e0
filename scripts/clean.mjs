import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

// Of a file that was renamed or deleted nothing may be left: what is in these folders is what is published.
for (const folder of ['contracts', 'client', 'cli', 'dashboard']) {
  await rm(fileURLToPath(new URL(`../packages/${folder}/dist`, import.meta.url)), { recursive: true, force: true });
}
