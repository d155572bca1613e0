import { lasting } from '../../support/lasting.js';
import { until } from '../../support/until.js';
import pg from 'pg';
import type { Cell } from './cell.js';
import type { Scene } from './scene.js';

/** Postgres loses its power, or is restarted in order. */
export const restarts: Cell = {
  fault: async ({ postgres }) => {
    await lasting(1_500);
    await postgres.crash();
    await lasting(1_500);
    await postgres.pgCtl('restart', ['-m', 'fast']);
  },
};

/**
 * What follows an `fsync` that fails: the process of Postgres that flushes panics, which is an abort, and the server ends
 * all others and recovers from its log. Nothing that it had answered is lost, and of what it had not, nobody knows.
 */
export const failedFlushes: Cell = {
  fault: async ({ postgres }) => {
    await lasting(500);
    const walWriter = `select pid from pg_stat_activity where backend_type = 'walwriter'`;
    const [{ pid }] = (await postgres.query<{ pid: number }>(walWriter)) as [{ pid: number }];
    process.kill(pid, 'SIGABRT');
    await until('Postgres to recover', () =>
      postgres.query<{ pid: number }>(walWriter).then(
        ([now]) => (now !== undefined && now.pid !== pid ? true : null),
        () => null,
      ),
    );
    await lasting(500);
  },
};

const terminateAll = ({ postgres, run }: Scene): Promise<unknown> =>
  postgres.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [new URL(run.databaseUrl).pathname.slice(1)],
  );

export const backendKills: Cell = {
  fault: async (scene) => {
    await lasting(300);
    await terminateAll(scene);
  },
};

/** Takes every free connection of the server, so that nobody else gets one, then closes all connections of the services. */
export const poolExhaustion: Cell = {
  fault: async (scene) => {
    const held: pg.Client[] = [];
    try {
      // Connected before the last place is taken.
      await terminateAll(scene);
      while (await connected(scene.postgres.url, held));
      await lasting(1_000);
    } finally {
      await Promise.all(held.map((client) => client.end()));
    }
    await lasting(1_000);
  },
};

/** False if the server has no place left. */
async function connected(url: string, held: pg.Client[]): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    held.push(client);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '53300') return false;
    throw error;
  }
}
