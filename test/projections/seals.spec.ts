import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/infrastructure/database/data-source.js';
import type { EventLog, Recorded } from '../../src/projections/kernel/event-log.port.js';
import { ENTITIES } from '../../src/projections/read-models.js';
import { GetLogHandler } from '../../src/projections/seals/get-log.query.js';
import { GetSeal, GetSealHandler } from '../../src/projections/seals/get-seal.query.js';
import { sealedUpTo } from '../../src/projections/seals/sealed-up-to.js';
import { openPostgresStore, type PostgresFixture } from '../support/postgres-store.js';

/** The log after a loss has fewer leaves, for a while. */
describe('the seals of a log, and of the one before it that was larger', () => {
  let db: PostgresFixture;
  let reading: DataSource;
  beforeAll(async () => {
    db = await openPostgresStore();
    reading = await createDataSource(db.url, ENTITIES).initialize();
    for (const [log, size] of [
      [1, 3],
      [1, 9],
      [2, 4],
      [2, 5],
    ] as const)
      await db.pool.query('insert into seals (log, size, position, root, note) values ($1, $2, $2, $3, $4)', [
        log,
        size,
        Buffer.alloc(32),
        `log/${log}\n${size}\nAA==\n\n— log AAAAAAA=\n`,
      ]);
  });
  afterAll(async () => {
    await reading.destroy();
    await db.close();
  });

  it('have as the last one the last one of the log that is sealed now', async () => {
    expect(await sealOf(null)).toMatchObject({ size: 5 });
    const sources = { db: reading, changes: { count: 0, past: () => Promise.resolve() } };
    const { signal } = new AbortController();
    expect(await sealedUpTo(5n, sources, signal)).toMatchObject({ size: 5 });
    await expect(sealedUpTo(6n, sources, signal)).rejects.toThrow('nobody seals the log');
  });

  it('are found by their size in the log that is sealed now only, after a loss', async () => {
    expect(await sealOf(4, LOSS)).toMatchObject({ size: 4 });
    expect(await sealOf(9, LOSS)).toBeNull();
    expect(await sealOf(9, LOSS, NEW_KEY)).toBeNull();
  });

  it('are found by their size in the log before, too, whose key was retired', async () => {
    expect(await sealOf(3, NEW_KEY)).toMatchObject({ size: 3, note: expect.stringContaining('log/1') });
    expect(await sealOf(4, NEW_KEY)).toMatchObject({ size: 4, note: expect.stringContaining('log/2') });
    expect(await sealOf(6, NEW_KEY)).toBeNull();
  });

  it('are not those of a log that has begun and has no seal yet', async () => {
    const sealAs = async (name: string) => {
      await db.pool.query('delete from notary');
      await db.pool.query('insert into notary (key) values ($1)', [`${name}+00000000+AA==`]);
      const log = {
        readStreams: () => Promise.resolve([[]]),
        head: () => Promise.resolve(5n),
        countBetween: () => 0,
      } as unknown as EventLog;
      const { name: shown, state, seal } = await new GetLogHandler(reading, log).execute();
      return [shown, state, seal?.size];
    };
    expect(await sealAs('log/2')).toEqual(['log/2', 'sealing', 5]);
    expect(await sealAs('log/3')).toEqual(['log/3', 'unsealed', undefined]);
  });

  /** After what people said of the log. */
  function sealOf(size: number | null, ...said: readonly object[]) {
    const history = said.map((event) => ({ event }) as Recorded);
    const log = { readStreams: () => Promise.resolve([history]) } as unknown as EventLog;
    return new GetSealHandler(reading, log).execute(new GetSeal(size));
  }
});

const LOSS = { type: 'LogLossAccepted', data: { log: 'log', next: 'log/2' } };
const NEW_KEY = { type: 'NotaryKeyRetired', data: { log: 'log', next: 'log/2' } };
