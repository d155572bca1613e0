import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import type { LogSegment } from '../../../src/application/kernel/log-segment.js';
import { LineageConsumer } from '../../../src/infrastructure/lineage/lineage-consumer.js';
import { lineageOf } from '../../../src/infrastructure/lineage/lineage-model.js';
import {
  type Checkpoint,
  CheckpointMoved,
  openCheckpoint,
} from '../../../src/infrastructure/projection-engine/checkpoint.js';
import type { Model } from '../../../src/infrastructure/projection-engine/model.js';
import { enqueue } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';
import { until } from '../../support/until.js';

describe('the follower of the lineage', () => {
  let db: PostgresFixture;
  let consumer: LineageConsumer;
  const builtAnew: Model[] = [];
  beforeEach(async () => {
    db = await openPostgresStore();
    builtAnew.length = 0;
    const run = async (models: readonly Model[]) => void builtAnew.push(...models);
    consumer = new LineageConsumer(db.pool, lineageOf(db.store), { run });
  });
  afterEach(async () => {
    await consumer.ended();
    await db.close();
  });

  const begin = (): Promise<Checkpoint> => openCheckpoint(db.pool, consumer.name, consumer.version);

  /** A new task, which names a cause or none. */
  async function recorded(cause: string | null, after: bigint): Promise<readonly LogSegment[]> {
    await db.store.append([enqueue('q', cause === null ? {} : { rerunOf: { task: cause } })]);
    return db.store.readSegments(after, 100);
  }

  const stored = async (): Promise<bigint> => (await begin()).position;

  it('stores late how far it is if nothing is named, and together with what is named', async () => {
    const first = await consumer.consume(await recorded(null, 0n), await begin());
    expect(await stored()).toBe(0n);
    await until('the checkpoint to move', async () => ((await stored()) === first.position ? true : null));
    const cause = uuidv7();
    const second = await consumer.consume(await recorded(cause, first.position), first);
    expect(await stored()).toBe(second.position);
    expect((await db.pool.query('select cause from lineage')).rows).toEqual([{ cause }]);
  });

  it('says with the next round that it could not be stored late, and goes on from what is stored', async () => {
    const from = await begin();
    const segments = await recorded(null, 0n);
    const first = await consumer.consume(segments, from);
    await db.pool.query(`update projection_checkpoints set version = version + 1 where name = 'lineage'`);
    const failure = await until('the follower to notice', () =>
      consumer.consume(segments, first).then(
        () => null,
        (error: unknown) => error,
      ),
    );
    expect(failure).toBeInstanceOf(CheckpointMoved);
    await db.pool.query(`update projection_checkpoints set version = version - 1 where name = 'lineage'`);
    await consumer.upgrade(new AbortController().signal);
    const again = await consumer.consume(await recorded(uuidv7(), 0n), await begin());
    expect(await stored()).toBe(again.position);
  });

  it('is built anew if it may lack events', async () => {
    await begin();
    await consumer.upgrade(new AbortController().signal);
    expect(builtAnew).toEqual([]);
    await db.pool.query(`update projection_checkpoints set version = 0 where name = 'lineage'`);
    await consumer.upgrade(new AbortController().signal);
    expect(builtAnew.map(({ name }) => name)).toEqual(['lineage']);
  });
});
