import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DefineQueue } from '../../../src/application/queues/define-queue.handler.js';
import { OperateQueue } from '../../../src/application/queues/operate-queue.handler.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { Signal } from '../../../src/application/kernel/signal.js';
import type { Chore } from '../../../src/infrastructure/sweeper/chore.js';
import { CarryOutConsequences } from '../../../src/infrastructure/sweeper/chores/carry-out-consequences.js';
import { ExpireOverdueLeases } from '../../../src/infrastructure/sweeper/chores/expire-overdue-leases.js';
import { MoveDueQueues } from '../../../src/infrastructure/sweeper/chores/move-due-queues.js';
import { Consequences } from '../../../src/infrastructure/dispatch-index/consequences.js';
import { Archiver } from '../../../src/infrastructure/sweeper/archiver.js';
import { DueQueues } from '../../../src/infrastructure/sweeper/due-queues.js';
import { FailingItems } from '../../../src/infrastructure/sweeper/failing-items.js';
import { MOST_WORKERS, OLD_ROWS_BATCH, Pruner } from '../../../src/infrastructure/sweeper/pruner.js';
import { DueWork } from '../../../src/infrastructure/sweeper/due-work.js';
import { ComparedRows } from '../../../src/infrastructure/sweeper/compared-rows.js';
import { PostgresIndexRows } from '../../../src/infrastructure/dispatch-index/postgres-index-rows.js';
import { StrayRows } from '../../../src/infrastructure/sweeper/stray-rows.js';
import { Sweeper } from '../../../src/infrastructure/sweeper/sweeper.js';
import { DRAIN_STREAM } from '../../../src/domain/system/system.stream.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import { triggerStream } from '../../../src/domain/trigger/trigger.stream.js';
import { PostgresQuarantine } from '../../../src/infrastructure/dispatch-index/postgres-quarantine.js';
import { ReadQuarantinedAgain } from '../../../src/infrastructure/sweeper/chores/read-quarantined-again.js';
import { until } from '../../support/until.js';
import { claim, defineQueue, enqueue, item } from '../../support/events.js';
import { PostgresApplication } from '../reactions/postgres-application.js';

const BY = { actor: 'ann', correlationId: 'test' };

describe('the sweeper', () => {
  let app: PostgresApplication;
  let stops: (() => Promise<void>)[];

  beforeEach(async () => {
    app = await PostgresApplication.start();
    Logger.overrideLogger(false);
    stops = [];
  });
  afterEach(async () => {
    for (const stop of stops) await stop();
    await app.stop();
  });

  function start(...more: Chore[]): Sweeper {
    const { pool, wakeUps } = app.db;
    const leaders = new Leaders(pool, { retryMs: 20 });
    const work = new DueWork(pool);
    const chores = [
      ...more,
      new ExpireOverdueLeases(app.commands, work),
      new MoveDueQueues(app.commands, new DueQueues(pool)),
      new CarryOutConsequences(app.commands, new Consequences(pool, wakeUps)),
    ];
    const failing = new FailingItems(pool);
    const sweeper = new Sweeper(
      chores as readonly Chore[],
      work,
      new Pruner(pool),
      new Archiver(pool, failing),
      new StrayRows(pool, app.db.store, new PostgresQuarantine(pool, wakeUps), wakeUps, failing),
      new ComparedRows(pool, new PostgresIndexRows(pool, app.db.store, wakeUps), failing),
      wakeUps,
      leaders,
      failing,
      { next: async () => false },
    );
    stops.push(
      () => sweeper.stop(),
      () => leaders.close(),
    );
    sweeper.start();
    return sweeper;
  }

  async function claimed(leaseMs: number): Promise<string> {
    const task = enqueue('mail');
    await app.db.store.append([task]);
    await app.db.store.append([claim(task, { leaseMs }).item]);
    return task.stream;
  }

  it('ends leases whose deadline has passed, and no others', async () => {
    await app.db.store.append([defineQueue('mail')]);
    start();
    const long = await claimed(60_000);
    const short = await claimed(20);
    const expired = await app.next('TaskLeaseExpired');
    expect(expired.stream).toBe(short);
    expect(expired.envelope.actor).toBe('sweeper');
    expect((await app.db.store.readStreams([long]))[0]!.length).toBe(2);
    expect((await app.db.pool.query('select from ready')).rowCount).toBe(1);
  });

  it('puts a task aside whose lease is overdue again although it does not run by its history', async () => {
    await app.db.store.append([defineQueue('mail')]);
    const waiting = enqueue('mail');
    await app.db.store.append([waiting]);
    const task = taskIdOf(waiting.stream);
    const { pool } = app.db;
    await pool.query(
      `insert into leases (id, queue, worker, server, claim_id, lease_ms, deadline, open, tasks)
        values (999, 'mail', 'w', 's', gen_random_uuid(), 1000, now() - interval '1 minute', 1, array[$1::uuid])`,
      [task],
    );
    await pool.query(`update tasks set state = 'running', token = 999, lease = 999 where task_id = $1`, [task]);
    start();
    const isAside = `select 1 from quarantined where task_id = $1`;
    await until('the task to be put aside', async () => (await pool.query(isAside, [task])).rows[0] ?? null);
    expect(await new DueWork(pool).overdueLeases(10)).toEqual([]);
  });

  it('does the other chores if one fails', async () => {
    await app.db.store.append([defineQueue('mail')]);
    let failed = 0;
    start({
      name: 'fail',
      idOf: String,
      find: () => Promise.reject(new Error(`Expected to fail for the ${++failed}. time`)),
      act: () => Promise.resolve(0),
    });
    const overdue = await claimed(20);
    expect((await app.next('TaskLeaseExpired')).stream).toBe(overdue);
    expect(failed).toBeGreaterThan(0);
  });

  /** Deals with each of the items once, except with those in `bad`. */
  function choreWith(items: readonly string[], bad: ReadonlySet<string>) {
    const left = new Set(items);
    const tries: string[][] = [];
    const chore: Chore<string> = {
      name: 'deal with items',
      idOf: String,
      find: (limit) => Promise.resolve([...left].slice(0, limit)),
      act: (rows) => {
        tries.push([...rows]);
        const stuck = rows.find((row) => bad.has(row));
        if (stuck !== undefined) return Promise.reject(new Error(`Expected to deal with ${stuck}, but it is stuck`));
        for (const row of rows) left.delete(row);
        return Promise.resolve(rows.length);
      },
    };
    const isLeft = (...items: readonly string[]) =>
      until('the others to be dealt with', () => Promise.resolve([...left].join() === items.join() ? true : null));
    return { chore: chore as Chore, left, tries, isLeft };
  }

  const failing = async (): Promise<readonly object[]> =>
    (await app.db.pool.query('select chore, item, error from failing_items order by item')).rows;

  it('deals with the other items of a chore if one fails, which rests and is tried again', async () => {
    const bad = new Set(['c']);
    const { chore, tries, isLeft } = choreWith(['a', 'b', 'c', 'd', 'e'], bad);
    start(chore);
    await isLeft('c');
    const rows = await until('the row', async () => ((await failing()).length > 0 ? failing() : null));
    expect(rows).toEqual([{ chore: 'deal with items', item: 'c', error: 'Expected to deal with c, but it is stuck' }]);
    const before = performance.now();
    await until('a second try', () => Promise.resolve(tries.filter((rows) => rows.join() === 'c').length > 1 || null));
    expect(performance.now() - before).toBeGreaterThan(500);
    bad.clear();
    await isLeft();
    await until('no failing items', async () => ((await failing()).length === 0 ? true : null));
  });

  it('deals with items behind more failing ones than it takes at once', async () => {
    const stuck = Array.from({ length: 600 }, (_, n) => `stuck ${n}`);
    const { chore, left } = choreWith([...stuck, 'last'], new Set(stuck));
    start(chore);
    await until('the last item', () => Promise.resolve(left.has('last') ? null : true));
    expect(left.size).toBe(600);
  });

  it('forgets a failing item that is no longer due', async () => {
    const { chore, left, isLeft } = choreWith(['a', 'b'], new Set(['b']));
    start(chore);
    await isLeft('b');
    await until('the row', async () => ((await failing()).length > 0 ? true : null));
    left.delete('b');
    await until('no failing items', async () => ((await failing()).length === 0 ? true : null));
  });

  it('ends the other leases if a task cannot be read, and that one once it can be', async () => {
    const { pool, store, wakeUps } = app.db;
    await store.append([defineQueue('mail')]);
    const unknown = await claimed(20);
    await pool.query(`update segments set version = 99 where type = 'TaskClaimed'`);
    const other = await claimed(20);
    start(new ReadQuarantinedAgain(store, new PostgresQuarantine(pool, wakeUps)) as Chore);
    const { position, stream } = await app.next('TaskLeaseExpired');
    expect(stream).toBe(other);
    const aside = await pool.query('update quarantined set retry_at = now() returning task_id');
    expect(aside.rows).toEqual([{ task_id: taskIdOf(unknown) }]);
    await pool.query(`update segments set version = 1 where type = 'TaskClaimed'`);
    expect((await app.next('TaskLeaseExpired', position)).stream).toBe(unknown);
    expect((await pool.query('select from quarantined')).rowCount).toBe(0);
  });

  it('aborts the other dependants if one cannot be read, and that one once it can be', async () => {
    const { pool, store, wakeUps } = app.db;
    await store.append([defineQueue('mail')]);
    const cause = enqueue('mail');
    const after = [{ task: taskIdOf(cause.stream) }];
    await store.append([cause]);
    const [unknown, other] = [enqueue('mail', { after }), enqueue('mail', { after })];
    await store.append([unknown]);
    await pool.query(`update segments set version = 99 where position = (select max(position) from segments)`);
    await store.append([other]);
    const aborted = { type: 'TaskAborted', version: 1, data: { queue: 'mail', from: 'pending', by: 'ann' } };
    await store.append([item(cause.stream, 0, [aborted])]);
    await pool.query(`insert into consequences values ($1, 'abort') on conflict do nothing`, [taskIdOf(cause.stream)]);
    start(new ReadQuarantinedAgain(store, new PostgresQuarantine(pool, wakeUps)) as Chore);
    const { stream } = await app.next('TaskAborted', 0n, 2);
    expect(stream).toBe(other.stream);
    await pool.query('update segments set version = 1');
    await pool.query('update quarantined set retry_at = now()');
    expect((await app.next('TaskAborted', 0n, 3)).stream).toBe(unknown.stream);
  });

  it('rests while the only overdue lease is of a task that cannot be read', async () => {
    await app.db.store.append([defineQueue('mail')]);
    await claimed(1);
    await app.db.pool.query(`update segments set version = 99 where type = 'TaskClaimed'`);
    const rests = jest.spyOn(Signal.prototype, 'past');
    start();
    await until('a rest', async () => rests.mock.calls.find(([, , ms]) => ms !== undefined && ms > 1_000) ?? null);
    rests.mockRestore();
    expect((await app.db.pool.query('select from quarantined')).rowCount).toBe(1);
  });

  it('ends more leases than it takes at once', async () => {
    await app.db.store.append([defineQueue('mail')]);
    const tasks = Array.from({ length: 1_100 }, () => enqueue('mail'));
    await app.db.store.append(tasks);
    await app.db.store.append(tasks.map((task) => claim(task, { leaseMs: 1 }).item));
    start();
    await app.next('TaskLeaseExpired', 0n, tasks.length);
    expect((await app.db.pool.query('select from leases')).rowCount).toBe(0);
  });

  it('continues after its connections broke', async () => {
    await app.db.store.append([defineQueue('mail')]);
    start();
    await claimed(20);
    const { position } = await app.next('TaskLeaseExpired');
    await app.db.pool.query(
      'select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await until('a connection', () => app.db.store.head().catch(() => null));
    await claimed(20);
    expect((await app.next('TaskLeaseExpired', position)).position).toBeGreaterThan(position);
  });

  it('resumes a queue at the end of its pause', async () => {
    await app.commands.execute(new DefineQueue('mail', '', {}, BY));
    start();
    const until = new Date(Date.now() + 5_000).toISOString();
    await app.commands.execute(new OperateQueue('mail', { type: 'PauseQueue', reason: 'lunch', until }, BY));
    const resumed = await app.next('QueueResumed');
    expect(Date.parse(resumed.recordedAt)).toBeGreaterThanOrEqual(Date.parse(until));
  });

  it('wakes the claims of a queue when one of its tasks becomes due, and rests no longer than until then', async () => {
    const rests = jest.spyOn(Signal.prototype, 'past');
    const restedUpTo = (mostMs: number): boolean =>
      rests.mock.calls.some(([, , ms]) => ms !== undefined && ms <= mostMs);
    start();
    let aheadMs = 75;
    // If the machine is too busy for a rest before the task is due, gives the next one more time.
    do {
      aheadMs *= 2;
      const queue = `in-${aheadMs}`;
      await app.db.store.append([defineQueue(queue)]);
      const due = Date.now() + aheadMs;
      // The enqueue wakes the listeners too, so that they look at the due time.
      const isIt = (name: string): boolean => name === queue && Date.now() >= due;
      const woken = new Promise<void>((resolve) => app.db.wakeUps.onQueueReady((name) => isIt(name) && resolve()));
      await app.db.store.append([enqueue(queue, { dueAt: new Date(due).toISOString() })]);
      await woken;
    } while (!restedUpTo(aheadMs) && aheadMs < 30_000);
    expect(restedUpTo(aheadMs)).toBe(true);
    rests.mockRestore();
  });

  it('is not kept busy by a trigger that is due, while a drain keeps it from firing', async () => {
    const definition = { cron: '* * * * *', timeZone: 'UTC', missed: 'each', description: '', task: { queue: 'mail' } };
    const data = { trigger: 't', definition, next: '2026-03-01T02:00:00.000Z' };
    const drain = { intake: 'closed', running: 'finish', by: 'ann', reason: null, at: '2026-03-01T02:00:00.000Z' };
    const { store, pool } = app.db;
    await store.append([item(triggerStream('t'), -1, [{ type: 'TriggerDefined', version: 1, data }])]);
    const work = new DueWork(pool);
    expect(await work.nextInMs()).toBeLessThanOrEqual(0);
    await store.append([item(DRAIN_STREAM, -1, [{ type: 'SystemDrained', version: 1, data: drain }])]);
    expect(await work.nextInMs()).toBeNull();
    await store.append([item(DRAIN_STREAM, 0, [{ type: 'SystemResumed', version: 1, data: { stopped: false } }])]);
    expect(await work.nextInMs()).toBeLessThanOrEqual(0);
  });

  it('runs in one of several processes, and another one takes over', async () => {
    await app.db.store.append([defineQueue('mail')]);
    const first = start();
    const one = await claimed(20);
    const { position, stream } = await app.next('TaskLeaseExpired');
    start().start();
    await Promise.all([first.stop(), first.stop()]);
    const other = await claimed(20);
    expect([stream, (await app.next('TaskLeaseExpired', position)).stream]).toEqual([one, other]);
  });

  it('keeps the newest claims if they are too many, whatever their age', async () => {
    const { pool } = app.db;
    await pool.query(
      `insert into claims select gen_random_uuid(), 'mail', 'w' || n, 1, 1, now() - n * interval '1 second' from generate_series(1, 30) n`,
    );
    await new Pruner(pool, [
      { table: 'claims', key: 'claim_id', at: 'created_at', life: '24 hours', most: 10 },
    ]).deleteSome();
    const { rows } = await pool.query('select worker from claims order by created_at desc');
    expect(rows.map(({ worker }) => worker as string)).toEqual(Array.from({ length: 10 }, (_, n) => `w${n + 1}`));
  });

  it('forgets workers that have reported nothing for a week, unless they have tasks', async () => {
    const { pool } = app.db;
    await pool.query(
      `insert into worker_roster select w.name, 'mail', 's', null, now() - w.age, now() - w.age, 1, w.running, 1, 0, 0, 0, 1
       from (values ('gone', interval '8 days', 0), ('busy', interval '8 days', 1), ('here', interval '6 days', 0)) as w(name, age, running)`,
    );
    await new Pruner(pool).deleteSome();
    const { rows } = await pool.query('select worker from worker_roster order by worker');
    expect(rows).toEqual([{ worker: 'busy' }, { worker: 'here' }]);
  });

  it('keeps the newest workers if they are too many, whatever their age, and those that have tasks', async () => {
    const { pool } = app.db;
    const workers = `select 'host-' || n as worker, now() - n * interval '1 ms' as at, n from generate_series(1, $1) n`;
    await pool.query(
      `insert into worker_roster select worker, 'mail', 's', null, at, at, 1, case n when $1 then 1 else 0 end, 1, 0, 0, 0, 1
       from (${workers}) w`,
      [MOST_WORKERS + 3],
    );
    await pool.query(`insert into worker_presence select worker, 'mail', 's', at, at from (${workers}) w`, [
      MOST_WORKERS + 3,
    ]);
    await new Pruner(pool).deleteSome();
    const oldest = (table: string, at: string) =>
      pool.query<{ worker: string }>(`select worker from ${table} order by ${at} limit 1`);
    const count = async (table: string): Promise<number> =>
      (await pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]!.n;
    expect((await oldest('worker_roster', 'last_seen')).rows).toEqual([{ worker: `host-${MOST_WORKERS + 3}` }]);
    expect([await count('worker_roster'), await count('worker_presence')]).toEqual([MOST_WORKERS + 1, MOST_WORKERS]);
    await pool.query('truncate worker_roster, worker_presence');
  });

  it('deletes what handlers said two weeks ago', async () => {
    const { pool } = app.db;
    await pool.query(
      `insert into task_log select gen_random_uuid(), 1, 1, now(), 'info', text, null, now() - age
       from (values ('old', interval '14 days 1 hour'), ('young', interval '13 days 23 hours')) as l(text, age)`,
    );
    await new Pruner(pool).deleteSome();
    expect((await pool.query('select text from task_log')).rows).toEqual([{ text: 'young' }]);
  });

  it('deletes old requests, in batches', async () => {
    const { pool } = app.db;
    await pool.query(
      `insert into idempotency_keys (key, item, fingerprint, answer, stream, revision, position, created_at)
       select 'k' || n, 0, 'f', '{}', 's', 0, 1, now() - interval '25 hours' from generate_series(1, $1::int) n`,
      [OLD_ROWS_BATCH + 1],
    );
    await pool.query(
      `insert into idempotency_keys values ('young', 0, 'f', 's', 0, 1, '{}', now() - interval '23 hours')`,
    );
    await pool.query(`insert into claims values (gen_random_uuid(), 'mail', 'old', 1, 1, now() - interval '25 hours')`);
    await pool.query(
      `insert into claims values (gen_random_uuid(), 'mail', 'young', 1, 1, now() - interval '23 hours')`,
    );
    const pruner = new Pruner(pool);
    expect(await pruner.deleteSome()).toBe(true);
    expect(await pruner.deleteSome()).toBe(false);
    expect((await pool.query('select key from idempotency_keys')).rows).toEqual([{ key: 'young' }]);
    expect((await pool.query('select worker from claims')).rows).toEqual([{ worker: 'young' }]);
  });
});
