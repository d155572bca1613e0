import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import type { ClaimedTask } from '../../../src/application/claims/claim-source.port.js';
import type { AppendItem, AppendResult } from '../../../src/application/kernel/event-store.port.js';
import { openDatabase, type Database } from '../../../src/bootstrap/database.js';
import type { QueuePolicy } from '../../../src/domain/queue/queue.policy.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { openReservedDispatch, reservedDispatchOn, type ReservedDispatch } from '../../support/dispatch-fixture.js';
import { defineQueue, enqueue, policyChanged } from '../../support/events.js';
import { until } from '../../support/until.js';

/** Longer than the tests' appends stay under way, and short enough to wait for. */
const RESERVATION_MS = 6_000;

describe('a crash of Postgres beside the events in EventStoreDB', () => {
  let folder: string;
  let database: Database;
  let dispatch: ReservedDispatch;
  let queue: string;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    folder = await mkdtemp(join(tmpdir(), 'crash-'));
    // As root, Postgres runs as another user, which must be able to enter the folder.
    await chmod(folder, 0o755);
    database = await openDatabase({ databaseUrl: undefined, dataDir: folder, log: () => undefined });
    dispatch = await openReservedDispatch({
      databaseUrl: database.url,
      reservationMs: RESERVATION_MS,
      attemptMs: 60_000,
    });
  });
  afterAll(async () => {
    await dispatch.close();
    await database.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await defined(queue);
  });

  /** Changes of queues are refused for a while after a crash. */
  const defined = (name: string, policy: Partial<QueuePolicy> = {}): Promise<true> =>
    until(`queue '${name}'`, async () => {
      const [result] = await dispatch.store.append([defineQueue(name, policy)]);
      return result!.kind === 'appended' ? true : null;
    });

  /** Kills a server process, upon which Postgres gives up what it has in memory, and recovers from what is on disk. */
  async function crash(): Promise<void> {
    const victim = new pg.Client(database.url);
    victim.on('error', () => undefined);
    await victim.connect();
    await victim.query('create unlogged table if not exists emptied_by_crash ()');
    await victim.query('insert into emptied_by_crash default values');
    const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid');
    process.kill(rows[0]!.pid, 'SIGKILL');
    await until('Postgres to recover', () => isRecovered().catch(() => null));
    // Until no connection of the pool is one that the crash has closed.
    await until('the pool', () => Promise.all(Array.from({ length: 10 }, isRecovered)).catch(() => null));
  }

  /** Postgres may still answer after the kill, before it notices. */
  async function isRecovered(): Promise<true | null> {
    const { rows } = await dispatch.pool.query('select from emptied_by_crash');
    return rows.length === 0 ? true : null;
  }

  /** Appends of this stream stay on their way until they are let go. */
  function hold(stream: string): () => void {
    let letGo!: () => void;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    dispatch.server!.faults.planAppend({ kind: 'hold', until: held }, (name) => name.endsWith(stream));
    return letGo;
  }

  const reserved = async (stream: string): Promise<boolean> => {
    const look = () => dispatch.pool.query('select from reservations where name = $1', [stream]).catch(() => null);
    return (await until('Postgres to answer', look)).rows.length > 0;
  };

  interface UnderWay {
    readonly result: Promise<AppendResult>;
    letGo(): void;
  }

  async function underWay(item: AppendItem): Promise<UnderWay> {
    const letGo = hold(item.stream);
    const result = dispatch.store.append([item]).then(([one]) => one!);
    await until('the reservation', async () => ((await reserved(item.stream)) ? true : null));
    return { result, letGo };
  }

  /** Whatever was flushed by chance: until one is lost. */
  async function lostReservation(): Promise<UnderWay> {
    for (let attempt = 0; attempt < 20; attempt++) {
      const item = enqueue(queue);
      const append = await underWay(item);
      await crash();
      if (!(await reserved(item.stream))) return append;
      append.letGo();
      await append.result;
    }
    throw new Error('Expected a crash to take a reservation that was not flushed, but each was there afterwards');
  }

  /** The index may have to follow the log first. */
  const claimOne = (from = queue): Promise<readonly ClaimedTask[]> =>
    until('a task', async () => {
      const tasks = await dispatch.claim(from);
      return tasks.length > 0 ? tasks : null;
    });

  const applied = ({ position }: Extract<AppendResult, { readonly position: bigint }>): Promise<boolean> =>
    dispatch.index.reached(position, 30_000);

  it('given a reservation that the crash took, when its queue is changed, then the change waits until no such append can arrive', async () => {
    const append = await lostReservation();
    const change = (): Promise<AppendResult> =>
      dispatch.store.append([policyChanged(queue, { maxRunning: 1 })]).then(([result]) => result!);
    expect(await change()).toMatchObject({ kind: 'conflict' });
    append.letGo();
    const stored = await append.result;
    expect(stored).toMatchObject({ kind: 'appended' });
    expect(await applied(stored as never)).toBe(true);
    expect(await until('the change', async () => ((await change()).kind === 'appended' ? true : null), 60_000)).toBe(
      true,
    );
    expect(await claimOne()).toHaveLength(1);
  });

  it('given an append that takes a key, when Postgres crashes, then nobody else gets the key', async () => {
    const append = await underWay(enqueue(queue, { key: 'k' }));
    await crash();
    append.letGo();
    expect(await append.result).toMatchObject({ kind: 'appended' });
    const [second] = await dispatch.store.append([enqueue(queue, { key: 'k' })]);
    expect(second).toMatchObject({ kind: 'refused', constraint: 'key-waiting' });
  });

  it('given a claim under way, when Postgres crashes, then its task, its place and its token go to nobody else', async () => {
    const limited = `q-${uuidv7()}`;
    await defined(limited, { maxRunning: 1 });
    const [first] = await dispatch.enqueue(limited, [{}, {}]);
    const letGo = hold(taskStream(first!));
    const claiming = dispatch.claim(limited);
    await until('the lease', async () => ((await reserved(taskStream(first!))) ? true : null));
    await crash();
    expect(await reservedDispatchOn(dispatch).claim(limited)).toEqual([]);
    letGo();
    const [claimed] = await claiming;
    expect(claimed).toMatchObject({ taskId: first });
    expect(await dispatch.settle([claimed!])).toMatchObject([{ kind: 'done' }]);
    const [next] = await claimOne(limited);
    const numberOf = ({ token }: { readonly token: string }): number => Number(token.split('.')[0]);
    expect(numberOf(next!)).toBeGreaterThan(numberOf(claimed!));
  });

  it('given a settlement that the crash made the index forget, when it is sent again, then it is recorded once', async () => {
    const [taskId] = await dispatch.enqueue(queue, [{}]);
    const claimed = await claimOne();
    const settling = dispatch.settle(claimed);
    await settling;
    await crash();
    expect(await dispatch.settle(claimed)).toMatchObject([{ kind: 'done' }]);
    const [history] = await dispatch.store.readStreams([taskStream(taskId!)]);
    expect(history!.map(({ event }) => event.type)).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskSucceeded']);
    expect(await applied(history!.at(-1)! as never)).toBe(true);
    const { rows } = await dispatch.pool.query('select state from tasks where task_id = $1', [taskId]);
    expect(rows).toEqual([{ state: 'succeeded' }]);
  });
});
