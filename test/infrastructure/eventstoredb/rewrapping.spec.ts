import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { assertKeysOf, useKeysOf } from '../../../src/bootstrap/subject-keys.js';
import { ContentKeys } from '../../../src/infrastructure/eventstoredb/log/halves/content-keys.js';
import { MasterKeys } from '../../../src/infrastructure/eventstoredb/log/halves/master-keys.js';
import { ReplacedKey, rewrapKeys } from '../../../src/infrastructure/eventstoredb/log/halves/rewrapping.js';
import { until } from '../../support/until.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

/** More than two transactions rewrap. */
const STREAMS = 2_001;

describe('the keys of private halves', () => {
  let database: PostgresFixture;
  const [older, newer] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  const [before, both, after] = [older, `${newer}\n${older}`, newer].map((text) => MasterKeys.in(text)) as [
    MasterKeys,
    MasterKeys,
    MasterKeys,
  ];

  beforeEach(async () => {
    database = await openPostgresStore();
    await useKeysOf(database.pool, before);
  });
  afterEach(() => database.close());

  const keysBy = (masters: MasterKeys) => new ContentKeys(database.pool, masters);

  const made = (streams: readonly string[], masters = before) => {
    const keys = keysBy(masters);
    return Promise.all(streams.map((stream) => keys.ofOrNew({ stream, isNew: true })));
  };

  const notBy = async (masters: MasterKeys) => {
    const { rows } = await database.pool.query(
      'select stream from content_keys where key is not null and master <> $1',
      [masters.names[0]],
    );
    return rows;
  };

  /** Whether a statement waits for a lock of this database. */
  async function waits(): Promise<true | null> {
    const { rowCount } = await database.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rowCount === 0 ? null : true;
  }

  it('need the newest master key only once they are rewrapped, and destroyed ones stay so', async () => {
    const streams = Array.from({ length: STREAMS }, () => randomUUID());
    const keys = await made(streams);
    await database.pool.query('update content_keys set key = null where stream = $1', [streams[0]]);
    expect(await rewrapKeys(database.pool, both)).toBe(STREAMS - 1);
    const read = keysBy(after);
    expect(await Promise.all(streams.slice(1).map((stream) => read.of(stream)))).toEqual(keys.slice(1));
    expect(await read.of(streams[0]!)).toEqual({ kind: 'destroyed', rests: {} });
    expect(await rewrapKeys(database.pool, both)).toBe(0);
    await useKeysOf(database.pool, after);
  });

  it('are rewrapped by a repetition that an earlier try left, until when the older master key must not lack', async () => {
    const streams = Array.from({ length: STREAMS }, () => randomUUID()).sort();
    await made(streams);
    const last = streams.at(-1)!;
    const { rows } = await database.pool.query('select key from content_keys where stream = $1', [last]);
    const write = (key: Buffer) =>
      database.pool.query('update content_keys set key = $2 where stream = $1', [last, key]);
    await write(randomBytes(60));
    await expect(rewrapKeys(database.pool, both)).rejects.toThrow(`the key of '${last}'`);
    await expect(assertKeysOf(database.pool, after)).rejects.toThrow('it lacks 1 of them');
    await write((rows[0] as { key: Buffer }).key);
    expect(await rewrapKeys(database.pool, both)).toBe(1);
    await assertKeysOf(database.pool, after);
  });

  it('are made by no process with an older master key from then on, also by one that makes some meanwhile', async () => {
    await made(Array.from({ length: STREAMS }, () => randomUUID()));
    let isOver = false;
    const makes = async () => {
      for (let isLast = false; !isLast;) {
        isLast = isOver;
        await made([randomUUID()]);
      }
    };
    const stopped = Promise.allSettled(Array.from({ length: 4 }, makes));
    expect(await rewrapKeys(database.pool, both)).toBeGreaterThanOrEqual(STREAMS);
    isOver = true;
    const message = expect.stringContaining('keys rewrap');
    expect(await stopped).toEqual(
      Array.from({ length: 4 }, () => ({ status: 'rejected', reason: expect.objectContaining({ message }) })),
    );
    expect(await notBy(after)).toEqual([]);
    await made([randomUUID()], both);
  });

  it('are rewrapped as well if their making is not committed yet', async () => {
    const stream = randomUUID();
    const { master, key } = before.wrap(randomBytes(32), stream);
    const open = await database.pool.connect();
    await open.query('begin');
    await open.query('insert into content_keys (stream, master, key) values ($1, $2, $3)', [stream, master, key]);
    const rewrapped = rewrapKeys(database.pool, both);
    await Promise.race([rewrapped, until('it to wait', waits)]);
    await open.query('commit');
    open.release();
    expect(await rewrapped).toBe(1);
    expect(await notBy(after)).toEqual([]);
  });

  it('stay destroyed if an erasure destroys them at the same time', async () => {
    const stream = randomUUID();
    await made([stream]);
    const erasure = await database.pool.connect();
    await erasure.query('begin');
    await erasure.query('select from content_keys where stream = $1 for update', [stream]);
    const rewrapped = rewrapKeys(database.pool, both);
    await until('it to wait', waits);
    await erasure.query('update content_keys set key = null where stream = $1', [stream]);
    await erasure.query('commit');
    erasure.release();
    await rewrapped;
    const { rows } = await database.pool.query('select key from content_keys');
    expect(rows).toEqual([{ key: null }]);
  });

  it('are not rewrapped with a master key that was replaced, nor does a service start with it', async () => {
    await made([randomUUID()]);
    await rewrapKeys(database.pool, both);
    const turned = MasterKeys.in(`${older}\n${newer}`);
    await expect(rewrapKeys(database.pool, turned)).rejects.toThrow(ReplacedKey);
    await expect(useKeysOf(database.pool, turned)).rejects.toThrow('write that one above it');
    expect(await notBy(after)).toEqual([]);
  });
});
