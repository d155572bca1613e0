import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { EventStore } from '../../../src/application/kernel/event-store.port.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { CheckpointReadPositions } from '../../../src/infrastructure/projection-engine/checkpoint-read-positions.js';
import { Progress } from '../../../src/infrastructure/projection-engine/progress.js';
import type { Projection } from '../../../src/projections/kernel/projection.js';
import { increment } from '../../../src/projections/kernel/row-change.js';
import { queueStats, queueStatsTable } from '../../../src/projections/queue-stats/queue-stats.projection.js';
import { workerRoster } from '../../../src/projections/worker-roster/worker-roster.projection.js';
import { foldCounts } from '../../projections/model-fold.js';
import { attempts } from '../../projections/random-history.js';
import { defineQueue, enqueue } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';
import { until } from '../../support/until.js';
import { appendHistory } from './append-history.js';
import { projector, type Projector } from './roles.js';

const IN_TIME = 120_000;

describe('the projection engine', () => {
  let db: PostgresFixture;
  let running: Projector[];

  beforeEach(async () => {
    Logger.overrideLogger(false);
    db = await openPostgresStore();
    running = [];
    await db.store.append([defineQueue('mail'), defineQueue('scan')]);
  });
  afterEach(async () => {
    await Promise.all(running.map((one) => one.stop()));
    await db.close();
  });

  function start(...projections: Projection<never>[]): Projector {
    const one = projector(db.pool, db.store, projections);
    running.push(one);
    one.engine.start();
    return one;
  }

  const traffic = (): Promise<void> => appendHistory(db.store, fc.sample(attempts(), 1)[0]!);

  async function caughtUp({ positions }: Projector, ...names: string[]): Promise<void> {
    const head = await db.store.head();
    await Promise.all(names.map((name) => positions.caughtUpTo(name, head, IN_TIME)));
  }

  async function expectExact(...projections: Projection<never>[]): Promise<void> {
    const events = await db.store.readAll(0n, 100_000);
    for (const projection of projections) {
      const expected = foldCounts(projection, events);
      const { rows } = await db.pool.query(`select * from ${projection.tables[0]!.name}`);
      expect(rows.length).toBe(expected.size);
      for (const row of rows) {
        const key = Object.keys(projection.tables[0]!.key)
          .map((name) => row[name])
          .join('/');
        for (const [name, value] of Object.entries(expected.get(key)!))
          expect([name, String(row[name])]).toEqual([name, String(value)]);
      }
    }
  }

  const checkpointOf = async (name: string): Promise<Record<string, unknown>> =>
    (await db.pool.query(`select * from projection_checkpoints where name = $1 and slot = 'live'`, [name])).rows[0]!;

  it('brings every read model to the head, with events from before and after its start', async () => {
    await traffic();
    const one = start(queueStats, workerRoster);
    await caughtUp(one, 'queue-stats', 'worker-roster');
    await traffic();
    await caughtUp(one, 'queue-stats', 'worker-roster');
    await expectExact(queueStats, workerRoster);
  });

  it('can be started and stopped twice, and continues where it stopped', async () => {
    const one = start(queueStats);
    one.engine.start();
    await traffic();
    await caughtUp(one, 'queue-stats');
    await Promise.all([one.engine.stop(), one.engine.stop()]);
    await one.engine.stop();
    await traffic();
    one.engine.start();
    await caughtUp(one, 'queue-stats');
    await expectExact(queueStats);
  });

  it('runs in one of several processes, and another one takes over', async () => {
    const first = start(queueStats);
    await traffic();
    await caughtUp(first, 'queue-stats');
    const second = start(queueStats);
    await traffic();
    await caughtUp(second, 'queue-stats'); // sees the first one's checkpoint
    await first.stop();
    await traffic();
    await caughtUp(second, 'queue-stats');
    await expectExact(queueStats);
  });

  it('recovers when its connections break, and counts nothing twice', async () => {
    const one = start(queueStats, workerRoster);
    for (let cut = 0; cut < 5; cut++) {
      await Promise.all([traffic(), traffic()]);
      await cutConnections();
    }
    await traffic();
    await caughtUp(one, 'queue-stats', 'worker-roster');
    await expectExact(queueStats, workerRoster);
  });

  it('stops a projection at an event that it cannot apply, reports where and why, and stops no other', async () => {
    await traffic();
    const poison = (await db.store.append([enqueue('mail', { kind: 'poison' })]))[0]! as { position: bigint };
    await traffic();
    const one = start(spoilt('poison'), workerRoster);
    await caughtUp(one, 'worker-roster');
    await one.positions.caughtUpTo('queue-stats', poison.position - 1n, IN_TIME);
    await expect(stoppedRow('queue-stats')).resolves.toMatchObject({
      position: String(poison.position - 1n),
      stopped_at: String(poison.position),
      error: `Expected 'queue-stats' to take the event at position ${poison.position}, but cannot count poison`,
    });
    await one.stop();
    const mended = start(queueStats);
    await caughtUp(mended, 'queue-stats');
    expect(await checkpointOf('queue-stats')).toMatchObject({ status: 'running', error: null, stopped_at: null });
    await expectExact(queueStats);
  });

  it('tries a stopped projection again, which continues once it can apply the event', async () => {
    await traffic();
    await db.store.append([enqueue('mail', { kind: 'poison' })]);
    await traffic();
    let isMended = false;
    const one = start(
      mendable(() => isMended),
      workerRoster,
    );
    await stoppedRow('queue-stats');
    isMended = true;
    await caughtUp(one, 'queue-stats', 'worker-roster');
    expect(await checkpointOf('queue-stats')).toMatchObject({ status: 'running', error: null, stopped_at: null });
    await expectExact(queueStats);
  });

  it('waits for a table that is missing, as while another build migrates, and does not stop', async () => {
    const one = start(queueStats, workerRoster);
    await traffic();
    await caughtUp(one, 'queue-stats');
    const warned = jest.spyOn(Logger.prototype, 'warn');
    await db.pool.query('alter table queue_stats rename to queue_stats_away');
    await traffic();
    await until('a warning', () =>
      Promise.resolve(warned.mock.calls.find(([said]) => /queue_stats/.test(String(said))) ?? null),
    );
    warned.mockRestore();
    expect(await checkpointOf('queue-stats')).toMatchObject({ status: 'running', error: null });
    await db.pool.query('alter table queue_stats_away rename to queue_stats');
    await caughtUp(one, 'queue-stats', 'worker-roster');
    await expectExact(queueStats);
  });

  it('finds the event whose row the database refuses', async () => {
    await traffic();
    const poison = (await db.store.append([enqueue('mail', { kind: 'too-many' })]))[0]! as { position: bigint };
    await traffic();
    start(spoilt('too-many'));
    expect(await stoppedRow('queue-stats')).toMatchObject({ stopped_at: String(poison.position) });
  });

  it('tells what a model lacks, of however many ask, with a look at the head that begins after they asked', async () => {
    await traffic();
    const head = await db.store.head();
    const look = jest.spyOn(db.store, 'head');
    const positions = new CheckpointReadPositions(db.pool, db.store, new Progress());
    const asked = Array.from({ length: 100 }, () => positions.lackedAt('queue-stats', head - 1n));
    expect(new Set(await Promise.all(asked))).toEqual(new Set([head]));
    expect(look).toHaveBeenCalledTimes(1);
    expect(await positions.lackedAt('queue-stats', head)).toBeNull();
    expect(await positions.lackedAt('tasks', 0n)).toBeNull();
    expect(look).toHaveBeenCalledTimes(2);
    look.mockRestore();
  });

  it('tells a process without followers the position of the followers', async () => {
    const elsewhere = new CheckpointReadPositions(db.pool, db.store, new Progress());
    start(queueStats);
    await traffic();
    const head = await db.store.head();
    expect(await elsewhere.waitFor('queue-stats', head, IN_TIME)).toBe(head);
    expect(await elsewhere.current('queue-stats')).toBe(head);
    expect(await elsewhere.waitFor('queue-stats', head + 1n, 100)).toBeNull();
    expect(await elsewhere.waitFor('tasks', head, 0)).toBe(head);
    expect(await elsewhere.waitFor('tasks', head + 1n, 0)).toBeNull();
    await expect(elsewhere.caughtUpTo('queue-stats', head + 1n, 0)).rejects.toThrow(
      `Expected 'queue-stats' to reach position ${head + 1n} within 0 ms, but it stands at ${head}`,
    );
  });

  it('rebuilds beside a running follower and traffic', async () => {
    await traffic();
    const one = start(queueStats, workerRoster);
    await caughtUp(one, 'queue-stats');
    await db.pool.query(`update queue_stats set pending = 4711`);
    const progress: bigint[] = [];
    const rebuilt = one.engine.rebuild(['queue-stats'], { onProgress: ({ position }) => progress.push(position) });
    await Promise.all([rebuilt, traffic(), traffic(), traffic()]);
    await traffic();
    await caughtUp(one, 'queue-stats', 'worker-roster');
    await expectExact(queueStats, workerRoster);
    expect(progress.length).toBeGreaterThan(0);
    const { rows } = await db.pool.query(`select from pg_tables where tablename like '%shadow'`);
    expect(rows).toEqual([]);
  });

  it('rebuilds several read models in one pass of the log, beside running followers', async () => {
    await Promise.all([traffic(), traffic(), traffic()]);
    const one = start(queueStats, workerRoster);
    await caughtUp(one, 'queue-stats', 'worker-roster');
    await db.pool.query('update queue_stats set pending = 4711');
    await db.pool.query('update worker_roster set claimed = 4711');
    const counting = new CountingReads(db.store);
    const rebuilding = projector(db.pool, counting, [queueStats, workerRoster]);
    await rebuilding.engine.rebuild(['queue-stats', 'worker-roster']);
    await rebuilding.stop();
    expect(counting.events).toBe(Number(await db.store.head()));
    await traffic();
    await caughtUp(one, 'queue-stats', 'worker-roster');
    await expectExact(queueStats, workerRoster);
  });

  it('rebuilds all requested read models, or none', async () => {
    await traffic();
    const one = start(queueStats, workerRoster);
    await db.store.append([enqueue('mail', { kind: 'poison' })]);
    await caughtUp(one, 'queue-stats', 'worker-roster');
    const stood = await checkpointOf('worker-roster');
    const faulty = projector(db.pool, db.store, [spoilt('poison'), workerRoster]);
    await expect(faulty.engine.rebuild(['worker-roster', 'queue-stats'])).rejects.toThrow('cannot count poison');
    await faulty.stop();
    expect(await checkpointOf('worker-roster')).toEqual(stood);
    await expectExact(queueStats, workerRoster);
  });

  it('refuses a rebuild that is already running, and releases its other locks', async () => {
    await traffic();
    const leaders = new Leaders(db.pool);
    const another = await leaders.tryToLead('rebuild queue-stats');
    const one = projector(db.pool, db.store, [queueStats, workerRoster]);
    running.push(one);
    const both = ['worker-roster', 'queue-stats'];
    await expect(one.engine.rebuild(both)).rejects.toThrow(
      `Expected to rebuild 'queue-stats', but another rebuild of it is running`,
    );
    await another!.release();
    await leaders.close();
    await one.engine.rebuild(both);
    await expectExact(queueStats, workerRoster);
  });

  it('never replaces rows with older ones', async () => {
    await traffic();
    const one = start(queueStats);
    await caughtUp(one, 'queue-stats');
    await one.stop();
    const slow = projector(db.pool, new SlowReads(db.store), [queueStats]);
    running.push(slow);
    await slow.engine.rebuild(['queue-stats']);
    expect(await checkpointOf('queue-stats')).toMatchObject({ position: String(await db.store.head()) });
    await expectExact(queueStats);
  });

  it('builds the rows of a later version beside those in use, and the earlier version then stops', async () => {
    await traffic();
    const old = start(queueStats);
    await caughtUp(old, 'queue-stats');
    const doubled = { ...queueStats, version: 2, project: { ...queueStats.project, TaskReleased: released } };
    const later = start(doubled);
    await reached('queue-stats', ({ version }) => version === 2);
    await Promise.all([traffic(), traffic()]);
    await caughtUp(later, 'queue-stats');
    await expectExact(doubled);
  });

  it('keeps the rows in use if a rebuild meets an event that it cannot apply', async () => {
    await traffic();
    const one = start(queueStats);
    await db.store.append([enqueue('mail', { kind: 'poison' })]);
    await caughtUp(one, 'queue-stats');
    const faulty = projector(db.pool, db.store, [spoilt('poison')]);
    await expect(faulty.engine.rebuild(['queue-stats'])).rejects.toThrow('cannot count poison');
    await faulty.stop();
    await traffic();
    await caughtUp(one, 'queue-stats');
    await expectExact(queueStats);
  });

  it('reads and parses the log once for all followers', async () => {
    const counting = new CountingReads(db.store);
    const one = projector(db.pool, counting, [queueStats, workerRoster, other('a'), other('b')]);
    running.push(one);
    one.engine.start();
    await caughtUp(one, 'queue-stats', 'worker-roster', 'a', 'b');
    counting.events = 0;
    const before = await db.store.head();
    await traffic();
    await caughtUp(one, 'queue-stats', 'worker-roster', 'a', 'b');
    expect(counting.events).toBe(Number((await db.store.head()) - before));
  });

  /** Also cuts those of followers that may have just begun a batch. */
  async function cutConnections(): Promise<void> {
    await db.pool.query(
      `select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await until('a connection', () => db.store.head().catch(() => null));
  }

  function stoppedRow(name: string): Promise<Record<string, unknown>> {
    return reached(name, ({ status }) => status === 'stopped');
  }

  /** The checkpoint once it fulfils the condition. */
  const reached = (name: string, wanted: (row: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> =>
    until(`the checkpoint of '${name}' to change`, async () => {
      const row = await checkpointOf(name);
      return row && wanted(row) ? row : null;
    });
});

const released = () => [increment(queueStatsTable, { queue: 'released' }, { add: { pending: 2 } })];

/** Queue statistics that fail on a kind of tasks until they are mended. */
function mendable(isMended: () => boolean): typeof queueStats {
  const { TaskEnqueued: faulty } = spoilt('poison').project;
  const TaskEnqueued: typeof faulty = (recorded) =>
    isMended() ? queueStats.project.TaskEnqueued(recorded) : faulty(recorded);
  return { ...queueStats, project: { ...queueStats.project, TaskEnqueued } };
}

/** Queue statistics that fail on tasks of one kind. */
function spoilt(kind: 'poison' | 'too-many'): typeof queueStats {
  return {
    ...queueStats,
    project: {
      ...queueStats.project,
      TaskEnqueued: (recorded) => {
        if (recorded.event.data.kind !== kind) return queueStats.project.TaskEnqueued(recorded);
        if (kind === 'poison') throw new Error('cannot count poison');
        return [increment(queueStatsTable, { queue: 'mail' }, { add: { pending: 1e300 } })];
      },
    },
  };
}

/** A follower that writes nothing. */
const other = (name: string): Projection<never> => ({ name, version: 1, tables: [], project: {} });

/** Passes every call to another store. */
class Passing extends EventStore {
  constructor(protected readonly store: EventStore) {
    super();
  }

  append = (...args: Parameters<EventStore['append']>) => this.store.append(...args);
  readStreams = (...args: Parameters<EventStore['readStreams']>) => this.store.readStreams(...args);
  head = () => this.store.head();
  canReadAfter = (...args: Parameters<EventStore['canReadAfter']>) => this.store.canReadAfter(...args);
  countBetween = (...args: Parameters<EventStore['countBetween']>) => this.store.countBetween(...args);
  positionBefore = (...args: Parameters<EventStore['positionBefore']>) => this.store.positionBefore(...args);
  readAll = (...args: Parameters<EventStore['readAll']>) => this.store.readAll(...args);
  scan = (...args: Parameters<EventStore['scan']>) => this.store.scan(...args);
  subscribe = (...args: Parameters<EventStore['subscribe']>) => this.store.subscribe(...args);
}

/** Reads in small steps, and reports an early end of the log. */
class SlowReads extends Passing {
  override head = () => Promise.resolve(2n);
  override readAll = (after: bigint) => this.store.readAll(after, 2);
}

/** Counts the events that are read from the whole log. */
class CountingReads extends Passing {
  events = 0;

  override readAll = async (...args: Parameters<EventStore['readAll']>) => {
    const events = await this.store.readAll(...args);
    this.events += events.length;
    return events;
  };

  override subscribe = (...args: Parameters<EventStore['subscribe']>) => this.counted(this.store.subscribe(...args));

  private async *counted(batches: AsyncIterable<readonly RecordedEvent[]>): AsyncIterable<readonly RecordedEvent[]> {
    for await (const events of batches) {
      this.events += events.length;
      yield events;
    }
  }
}
