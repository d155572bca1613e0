import { startEmbeddedPostgres } from '#waybill/infrastructure/embedded-postgres/embedded-postgres.js';
import type { Config } from '#waybill/bootstrap/config.js';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DemoError } from './options.js';

/** Removes what earlier runs left in the data folder. Throws `DemoError` if the data does not belong to the demo. */
export async function wipe({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined) {
    throw new DemoError(
      'Expected --fresh to wipe the embedded Postgres, but DATABASE_URL names another: empty that yourself.',
    );
  }
  const postgres = join(dataDir, 'postgres');
  const pidFile = join(postgres, 'data', 'postmaster.pid');
  // A server may have outlived a killed run. Joining it alone and leaving stops it.
  if (existsSync(pidFile)) await (await startEmbeddedPostgres({ dataDir, log: () => undefined })).stop();
  if (existsSync(pidFile)) {
    throw new DemoError(`Expected --fresh to wipe '${postgres}', but another process uses it: stop that one first.`);
  }
  await rm(postgres, { recursive: true, force: true });
  await rm(join(dataDir, 'service.log'), { force: true });
}
