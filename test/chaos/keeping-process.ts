import { writeSync } from 'node:fs';
import { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { Leaders } from '../../src/infrastructure/leadership/leaders.js';
import { SnapshotWriter } from '../../src/infrastructure/past/snapshots/snapshot-writer.js';
import { Snapshots } from '../../src/infrastructure/past/snapshots/snapshots.js';
import { BUILD } from '../../src/bootstrap/functions.js';
import { logOf } from '../support/history/log-of.js';
import { keeperOf } from '../support/history/snapshots-then.js';

// Keeps snapshots of DATABASE_URL, each soon after the last, and kills itself at `CRASH_AT`: the name of a point and the number of the passage.
const [point, passage] = process.env.CRASH_AT!.split(':');
let left = Number(passage);

function pass(name: string): void {
  if (name !== point || --left > 0) return;
  writeSync(1, `stops at ${process.env.CRASH_AT}\n`);
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

/** Passes the points before and after each call of the method. */
function hook<T extends object>(prototype: T, method: keyof T & string): void {
  const call = prototype[method] as (...given: unknown[]) => Promise<unknown>;
  prototype[method] = async function (this: T, ...given: unknown[]) {
    pass(`before-${method}`);
    const result = await call.apply(this, given);
    pass(`after-${method}`);
    return result;
  } as T[typeof method];
}

hook(SnapshotWriter.prototype, 'take');
hook(SnapshotWriter.prototype, 'store');
hook(SnapshotWriter.prototype, 'lastBeforeGap');
hook(Snapshots.prototype, 'setsOf');

const databaseUrl = process.env.DATABASE_URL!;
const pool = new PostgresPool({ url: databaseUrl, size: 3, functions: BUILD.schema });
const log = logOf({ pool, databaseUrl });
hook(log, 'readSegments');
keeperOf(pool, log, new Leaders(pool, { ttlMs: 600, renewMs: 200, retryMs: 50 })).start();
