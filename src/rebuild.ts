import { readConfig } from './config.js';
import { openDatabase } from './database.js';
import { IndexRebuild } from './infrastructure/dispatch/index-rebuild.js';
import { PostgresEventStore } from './infrastructure/event-store/postgres/postgres-event-store.js';
import { LocalWakeUps } from './infrastructure/notify/local-wake-ups.js';
import { PostgresPool } from './infrastructure/persistence/postgres-pool.js';
import { AdvisoryLocks } from './infrastructure/projection-engine/advisory-locks.js';
import { Rebuild } from './infrastructure/projection-engine/rebuild.js';
import { FOLLOWED } from './projections/read-models.js';

const INDEX = 'index';
const NAMES = [INDEX, ...FOLLOWED.map(({ name }) => name)];

/** `node dist/rebuild.js NAME`: makes the dispatch index (with the rows of tasks and queues) or a read model anew from the log. */
async function main(name: string | undefined): Promise<void> {
  if (name === undefined || !NAMES.includes(name)) {
    throw new Error(`Expected the name of what to rebuild (${NAMES.join(', ')}), but got '${name ?? 'nothing'}'`);
  }
  const { databaseUrl, dataDir } = readConfig(process.env);
  const database = await openDatabase({ databaseUrl, dataDir, log: console.error });
  const pool = new PostgresPool({ url: database.url, size: 4 });
  try {
    await (name === INDEX ? rebuildIndex(pool) : rebuildModel(pool, name));
  } finally {
    await pool.end();
    await database.close();
  }
}

async function rebuildIndex(pool: PostgresPool): Promise<void> {
  const tasks = await new IndexRebuild(pool).run((progress) => console.error(`${progress.tasks} tasks`));
  console.log(`Rebuilt the dispatch index: ${tasks} tasks`);
}

async function rebuildModel(pool: PostgresPool, name: string): Promise<void> {
  const locks = new AdvisoryLocks(pool);
  const projection = FOLLOWED.find((one) => one.name === name)!;
  const onProgress = ({ position, head }: { position: bigint; head: bigint }): void =>
    console.error(`${position} of ${head} events`);
  try {
    await new Rebuild(new PostgresEventStore(pool, new LocalWakeUps()), pool, locks).run(projection, { onProgress });
    console.log(`Rebuilt '${name}'`);
  } finally {
    await locks.close();
  }
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
