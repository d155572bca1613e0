import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import {
  copyEvents,
  type CopyReport,
  type CopyTarget,
} from '../../../../src/infrastructure/eventstoredb/copy/copy-events.js';
import { CopySource } from '../../../../src/infrastructure/eventstoredb/copy/copy-source.js';
import type { StoredEvent } from '../../../../src/infrastructure/eventstoredb/log/stored-event.js';
import { EventStoreDbCopy } from '../../../../src/infrastructure/eventstoredb/copy/eventstoredb-copy.js';
import { LOG_LOCK } from '../../../../src/infrastructure/database/locks.js';
import { PostgresPool } from '../../../../src/infrastructure/database/postgres-pool.js';
import { claim, defineQueue, enqueue, failed, item, queueDefined } from '../../../support/events.js';
import { EventStoreDbFixture } from '../../../support/eventstoredb/fixture.js';
import { openLog } from '../../../support/eventstoredb/open-log.js';
import { openPostgresStore, type PostgresFixture } from '../../../support/postgres-store.js';
import { until } from '../../../support/until.js';

const aPrefix = (): string => `run${randomUUID().replaceAll('-', '')}.`;

describe('copyEvents', () => {
  let postgres: PostgresFixture;
  let server: EventStoreDbFixture;
  let pool: PostgresPool;
  let targets: EventStoreDbCopy[];

  beforeAll(async () => {
    postgres = await openPostgresStore();
    server = await EventStoreDbFixture.start();
    await live();
    // To the copy, the store's own connections look like a service's.
    await postgres.pool.end();
    pool = new PostgresPool({ url: postgres.url, size: 1 });
  });
  afterAll(async () => {
    await pool.end();
    await server.stop();
    await postgres.close();
  });
  beforeEach(() => {
    targets = [];
  });
  afterEach(() => Promise.all(targets.map((target) => target.close())));

  /** Six appends with seven events: two on one stream together, and one of an unknown type. */
  async function live(): Promise<void> {
    const one = enqueue('mail', { key: 'x' });
    const claimed = claim(one);
    for (const append of [defineQueue('mail'), one, enqueue('mail'), claimed.item])
      await postgres.store.append([append]);
    const { token, secret } = claimed;
    await postgres.store.append([item(one.stream, 1, failed('mail', token), { lease: { token, secret } })]);
    await postgres.pool.query(
      `insert into segments (position, n, category, type, version, recorded_at, meta, streams, ids, data)
       select position + n, 1, 'task', 'FromTheFuture', 3, recorded_at, meta, array[gen_random_uuid()], array[$1::uuid], '{"b":1,"a":2}'
       from segments order by position desc limit 1`,
      [uuidv7()],
    );
  }

  const targetOf = async (prefix = aPrefix()): Promise<EventStoreDbCopy> => {
    const times = { attemptMs: 700, retryMs: 60_000 };
    const target = await EventStoreDbCopy.open({ url: server.url, prefix, since: 0n }, undefined, times);
    targets.push(target);
    return target;
  };

  async function copy(
    target: CopyTarget,
    onDone: (done: number) => void = () => undefined,
    pageSize?: number,
  ): Promise<CopyReport> {
    const source = await CopySource.open(pool, []);
    const from = {
      count: () => source.count(),
      find: (event: StoredEvent) => source.find(event),
      page: (after: bigint, limit: number) => source.page(after, pageSize ?? limit),
    };
    try {
      return await copyEvents(from, target, ({ step, done }) => step === 'copy' && onDone(done));
    } finally {
      await source.close();
    }
  }

  /** Fails at its n-th append, before or after storing it. */
  const dying = (target: CopyTarget, n: number, when: 'before' | 'after'): CopyTarget => {
    let appends = 0;
    return {
      last: () => target.last(),
      page: (after, limit) => target.page(after, limit),
      append: async (events) => {
        const dies = ++appends === n;
        if (dies && when === 'before') throw new Error('killed');
        const stored = await target.append(events);
        if (dies) throw new Error('killed');
        return stored;
      },
    };
  };

  it.each([
    ['in one page', 1_000],
    ['in pages that end amid an append', 1],
  ])('keeps order, ids, times, versions, envelopes and the bounds of appends: %s', async (_, pageSize) => {
    const prefix = `whole${pageSize}.`;
    const report = await copy(await targetOf(prefix), undefined, pageSize);
    expect(report).toMatchObject({ copied: 7, source: { count: 7 }, equal: true });
    expect(report.target).toEqual(report.source);
    const source = await CopySource.open(pool, []);
    const events = await source.page(0n, 100);
    await source.close();
    const { log, close } = await openLog({ on: server, prefix });
    const copied = await log.readAll(0n, 100);
    await close();
    expect(copied.map(({ id, stream, revision, recordedAt }) => ({ id, stream, revision, recordedAt }))).toEqual(
      events.map(({ id, stream, revision, recordedAt }) => ({ id, stream, revision, recordedAt })),
    );
    expect(copied.map(({ event }) => [event.type, event.version])).toEqual(
      events.map(({ type, version }) => [type, version]),
    );
    expect(copied.map(({ envelope }) => envelope)).toEqual(events.map(({ envelope }) => envelope));
    expect(copied.filter(({ more }) => more).map(({ event }) => event.type)).toEqual(['TaskAttemptFailed']);
  });

  it.each(['before', 'after'] as const)('continues after it was killed %s any of its appends', async (when) => {
    for (let n = 1; n <= 6; n++) {
      const target = await targetOf();
      await expect(copy(dying(target, n, when))).rejects.toThrow('killed');
      const done: number[] = [];
      const report = await copy(target, (count) => done.push(count));
      expect(report).toMatchObject({ target: { count: 7 }, equal: true });
      expect(done.at(-1)).toBe(7);
      expect(report.copied).toBe(7 - done[0]!);
    }
  });

  it('recognises an append whose answer was lost', async () => {
    server.faults.planAppend({ kind: 'drop' });
    server.cut();
    expect(await copy(await targetOf())).toMatchObject({ copied: 7, equal: true });
  });

  it('reports that both sides differ, in one time, one id, or their order', async () => {
    const target = await targetOf();
    await copy(target);
    const changed = (change: (events: StoredEvent[]) => StoredEvent[]): CopyTarget => ({
      last: () => target.last(),
      append: (events) => target.append(events),
      page: async (after, limit) => change(await target.page(after, limit)),
    });
    const first = (events: StoredEvent[], part: Partial<StoredEvent>) =>
      events.map((e, at) => (at ? e : { ...e, ...part }));
    for (const change of [
      (events: StoredEvent[]) => first(events, { recordedAt: '2020-01-01T00:00:00.000Z' }),
      (events: StoredEvent[]) => first(events, { id: uuidv7() }),
      (events: StoredEvent[]) => first(events, { envelope: { actor: 'x', correlationId: 'y' } }),
      ([a, b, ...rest]: StoredEvent[]) => (a && b ? [b, a, ...rest] : []),
      (events: StoredEvent[]) => events.slice(1),
    ]) {
      expect((await copy(changed(change))).equal).toBe(false);
    }
  });

  it('refuses a target with events that are not from this database', async () => {
    const prefix = 'others.';
    const { log, close } = await openLog({ on: server, prefix });
    await log.append([item('queue-others', -1, [queueDefined('others')])]);
    await close();
    await expect(copy(await targetOf(prefix))).rejects.toThrow(
      "Expected the target to hold what an earlier run copied, or nothing, but event 0 of 'queue-others' is not of this database",
    );
  });

  it('names an event that is larger than the store accepts', async () => {
    const large = { ...(await sourceEvents())[1]!, data: JSON.stringify({ text: 'x'.repeat(1_100_000) }) };
    const target = await targetOf();
    await expect(target.append([large])).rejects.toThrow(
      /^Expected every append to be small enough .* event 0 of 'task-/,
    );
  });

  async function sourceEvents(): Promise<StoredEvent[]> {
    const source = await CopySource.open(pool, []);
    const events = await source.page(0n, 100);
    await source.close();
    return events;
  }

  describe('of a database', () => {
    let other: PostgresPool;
    beforeEach(() => {
      other = new PostgresPool({ url: postgres.url, size: 2 });
    });
    afterEach(() => other.end());

    it('that a service uses is refused', async () => {
      await other.query('select 1');
      await expect(CopySource.open(pool, [])).rejects.toThrow(
        'no Waybill service to use the database, but one does; stop all of them first',
      );
    });

    it('prevents others from adding events meanwhile', async () => {
      const source = await CopySource.open(pool, []);
      const adding = other.query(`select pg_advisory_xact_lock(${LOG_LOCK})`);
      await until('somebody to wait', async () => {
        const { rows } = await other.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`);
        return rows.length > 0 ? true : null;
      });
      await source.close();
      expect(await adding).toMatchObject({ rowCount: 1 });
    });

    it('with tasks in its outbox, or a reaction that is behind, is refused', async () => {
      const alone = new PostgresPool({ url: postgres.url, size: 1 });
      await alone.query(`insert into waybill_outbox (id, queue, actor) values (gen_random_uuid(), 'mail', 'x')`);
      await alone.end();
      await expect(CopySource.open(pool, [])).rejects.toThrow('1 tasks are in it');
      const again = new PostgresPool({ url: postgres.url, size: 1 });
      await again.query('delete from waybill_outbox');
      await again.query(
        `insert into projection_checkpoints (name, slot, version, position, status) values ('late', 'live', 1, 3, 'running')`,
      );
      await again.end();
      await expect(CopySource.open(pool, ['late'])).rejects.toThrow("'late' has not");
    });
  });
});

describe('a copy of large events', () => {
  const MIB = 1024 * 1024;
  const LARGE = 900_000;

  it('reads 4 MiB at a time on both sides, and copies all of them', async () => {
    const postgres = await openPostgresStore();
    const server = await EventStoreDbFixture.start();
    await postgres.store.append([defineQueue('mail')]);
    for (let n = 0; n < 12; n++) await postgres.store.append([enqueue('mail', { payload: 'x'.repeat(LARGE) })]);
    await postgres.pool.end();
    const pool = new PostgresPool({ url: postgres.url, size: 1 });
    const source = await CopySource.open(pool, []);
    const target = await EventStoreDbCopy.open({ url: server.url, prefix: 'large.', since: 0n });
    const read = { source: [] as number[], target: [] as number[] };
    const watched = (side: 'source' | 'target', pages: Pick<CopyTarget, 'page'>) => ({
      page: async (after: bigint, limit: number): Promise<readonly StoredEvent[]> => {
        const page = await pages.page(after, limit);
        read[side].push(page.reduce((bytes, { data }) => bytes + data.length, 0));
        return page;
      },
    });

    const report = await copyEvents(
      { count: () => source.count(), find: (event) => source.find(event), ...watched('source', source) },
      {
        last: () => target.last(),
        append: (events) => target.append(events),
        ...watched('target', target),
      },
      () => undefined,
    );
    expect(report).toMatchObject({ copied: 13, equal: true });
    for (const pages of [read.source, read.target]) {
      expect(pages.length).toBeGreaterThan(3);
      expect(Math.max(...pages)).toBeLessThan(4 * MIB + LARGE);
    }

    await Promise.all([source.close(), target.close()]);
    await pool.end();
    await server.stop();
    await postgres.close();
  });
});
