import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { type LogSegment, segmentsOf } from '../../../src/application/kernel/log-segment.js';
import type { Rows } from '../../../src/infrastructure/projection-engine/change-writer.js';
import {
  CheckpointMoved,
  openCheckpoint,
  PoisonEvent,
} from '../../../src/infrastructure/projection-engine/checkpoint.js';
import { SharedCommits } from '../../../src/infrastructure/projection-engine/shared-commits.js';
import type { Projection } from '../../../src/projections/kernel/projection.js';
import { upsert } from '../../../src/projections/kernel/row-change.js';
import type { Table } from '../../../src/projections/kernel/table.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const notes: Table<'follower', never> = { name: 'notes', key: { follower: 'text' }, columns: {} };

const noting = (name: string): Projection<'TaskReleased'> => ({
  name,
  version: 1,
  tables: [notes],
  project: { TaskReleased: () => [upsert(notes, { follower: name }, {})] },
});

const failing: Projection<'TaskReleased'> = {
  ...noting('failing'),
  project: {
    TaskReleased: () => {
      throw new Error('no rule');
    },
  },
};

const eventsAt = (...positions: readonly number[]): readonly LogSegment[] => segmentsOf(positions.map(recorded));

const recorded = (at: number): RecordedEvent => ({
  position: BigInt(at),
  stream: 's',
  revision: at,
  id: String(at),
  recordedAt: '',
  event: { type: 'TaskReleased', version: 1, data: {} },
  envelope: { actor: 'a', correlationId: 'c' },
});

describe('commits that followers share', () => {
  let db: PostgresFixture;
  let commits: SharedCommits;

  beforeAll(async () => {
    db = await openPostgresStore();
    await db.pool.query('create table notes (follower text primary key, position bigint not null)');
  });
  beforeEach(async () => {
    await db.pool.query('truncate notes, projection_checkpoints');
    commits = new SharedCommits(db.pool);
  });
  afterAll(() => db.close());

  const rowsOf = async (projection: Projection<'TaskReleased'>): Promise<Rows> => ({
    projection: projection as Projection<never>,
    checkpoint: await openCheckpoint(db.pool, projection.name, 1),
  });
  const transactions = async (): Promise<Map<string, string>> => {
    const { rows } = await db.pool.query<{ follower: string; xmin: string }>('select follower, xmin::text from notes');
    return new Map(rows.map(({ follower, xmin }) => [follower, xmin]));
  };

  it('write what several followers make of the same events in one transaction', async () => {
    // given
    const [one, other] = [await rowsOf(noting('one')), await rowsOf(noting('other'))];
    const segments = eventsAt(1, 2);
    // when
    const written = await Promise.all([commits.write(one, segments), commits.write(other, segments)]);
    // then
    const by = await transactions();
    expect(by.size).toBe(2);
    expect(by.get('one')).toBe(by.get('other'));
    expect(written.map(({ checkpoint }) => [checkpoint.name, checkpoint.position])).toEqual([
      ['one', 2n],
      ['other', 2n],
    ]);
  });

  it('write other events in another transaction', async () => {
    // given
    const [one, other] = [await rowsOf(noting('one')), await rowsOf(noting('other'))];
    // when
    await Promise.all([commits.write(one, eventsAt(1, 2)), commits.write(other, eventsAt(1, 1))]);
    // then
    const by = await transactions();
    expect(by.size).toBe(2);
    expect(by.get('one')).not.toBe(by.get('other'));
  });

  it('leave out a follower whose checkpoint somebody else moved, and write the others', async () => {
    // given
    const [one, overtaken] = [await rowsOf(noting('one')), await rowsOf(noting('overtaken'))];
    await db.pool.query(`update projection_checkpoints set position = 1 where name = 'overtaken'`);
    const segments = eventsAt(1, 2);
    // when
    const [written, refused] = await Promise.allSettled([
      commits.write(one, segments),
      commits.write(overtaken, segments),
    ]);
    // then
    expect(written).toMatchObject({ status: 'fulfilled', value: { checkpoint: { position: 2n } } });
    expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(CheckpointMoved) });
    expect([...(await transactions()).keys()]).toEqual(['one']);
  });

  it('leave out a follower that cannot apply an event, and write the others', async () => {
    // given
    const [one, stuck] = [await rowsOf(noting('one')), await rowsOf(failing)];
    const segments = eventsAt(1, 2);
    // when
    const [written, refused] = await Promise.allSettled([commits.write(one, segments), commits.write(stuck, segments)]);
    // then
    expect(written).toMatchObject({ status: 'fulfilled', value: { checkpoint: { position: 2n } } });
    expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(PoisonEvent) });
    expect([...(await transactions()).keys()]).toEqual(['one']);
  });
});
