import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { AppendItem, RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { EventStoreUnavailable, NotTakenNow } from '../../../src/application/kernel/application-error.js';
import { ClearFailuresOnSuccess } from '../../../src/application/reactions/clear-failures-on-success.js';
import type { Reaction } from '../../../src/application/reactions/reaction.js';
import { EVENTS } from '../../../src/domain/events.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { CheckpointReadPositions } from '../../../src/infrastructure/projection-engine/checkpoint-read-positions.js';
import { LogFeed } from '../../../src/infrastructure/projection-engine/log-feed.js';
import { Progress } from '../../../src/infrastructure/projection-engine/progress.js';
import { MOST_PUT_ASIDE } from '../../../src/infrastructure/reactions/events-put-aside.js';
import { ReactionRunner, Reactions } from '../../../src/infrastructure/reactions/reaction-runner.js';
import { claim, defineQueue, enqueue, failed, item, succeeded } from '../../support/events.js';
import { until } from '../../support/until.js';
import { PostgresApplication } from './postgres-application.js';

const IN_TIME = 120_000;
const NAME = 'clear-failures-on-success';

describe('reactions', () => {
  let app: PostgresApplication;
  let positions: CheckpointReadPositions;
  let stops: (() => Promise<void>)[];

  beforeEach(async () => {
    app = await PostgresApplication.start();
    Logger.overrideLogger(false);
    stops = [];
    await app.db.store.append([defineQueue('mail'), defineQueue('kept', { clearFailuresOnSuccess: false })]);
  });
  afterEach(async () => {
    for (const stop of stops) await stop();
    await app.stop();
  });

  function start(...all: Reaction[]): ReactionRunner {
    const { pool, store } = app.db;
    const leaders = new Leaders(pool, { retryMs: 20 });
    const progress = new Progress();
    const runner = new ReactionRunner(new Reactions(all), pool, store, new LogFeed(store), leaders, progress);
    positions = new CheckpointReadPositions(pool, store, progress);
    stops.push(
      () => runner.stop(),
      () => leaders.close(),
    );
    runner.start();
    return runner;
  }

  const clearing = (): Reaction => new ClearFailuresOnSuccess(app.commands, app.queues);
  const caughtUp = async (name: string) => positions.caughtUpTo(name, await app.db.store.head(), IN_TIME);

  async function run(queue: string, key: string | undefined, outcome: 'succeeds' | 'fails'): Promise<AppendItem> {
    const task = enqueue(queue, key === undefined ? {} : { key });
    await app.db.store.append([task]);
    const { item: claimed, token, secret } = claim(task);
    await app.db.store.append([claimed]);
    const events =
      outcome === 'succeeds' ? [succeeded(queue, token, key === undefined ? {} : { key })] : failed(queue, token, key);
    const [result] = await app.db.store.append([item(task.stream, 1, events, { lease: { token, secret } })]);
    expect(result!.kind).toBe('appended');
    return task;
  }

  const typesOf = async ({ stream }: AppendItem): Promise<string[]> =>
    (await app.db.store.readStreams([stream]))[0]!.map(({ event }) => event.type);

  it('supersede all failed tasks of a key when one task of the key succeeds (S0-38), and record its id', async () => {
    start(clearing());
    const older = await run('mail', 'a', 'fails');
    const newer = await run('mail', 'a', 'fails');
    const another = await run('mail', 'b', 'fails');
    const success = await run('mail', 'a', 'succeeds');
    const cleared = await app.next('TaskSuperseded');
    await caughtUp(NAME);
    for (const task of [older, newer]) expect((await typesOf(task)).at(-1)).toBe('TaskSuperseded');
    expect((await typesOf(another)).at(-1)).toBe('TaskFailed');
    const cause = (await app.db.store.readStreams([success.stream]))[0]!.at(-1)!;
    expect(cleared.event.data).toMatchObject({ bySuccessOf: success.stream.slice('task-'.length) });
    expect(cleared.envelope).toMatchObject({ actor: `reaction:${NAME}`, causationId: cause.id, correlationId: 'test' });
  });

  it('ask for the failures of many keys in one statement', async () => {
    const older = await run('mail', 'k0', 'fails');
    for (let n = 0; n < 20; n++) await run('mail', `k${n}`, 'succeeds');
    const statements: string[] = [];
    const deaf = app.db.pool.onStatement((text) => statements.push(text));
    start(clearing());
    await caughtUp(NAME);
    deaf();
    expect((await typesOf(older)).at(-1)).toBe('TaskSuperseded');
    expect(statements.filter((text) => text === 'waybill_key_failures')).toHaveLength(1);
  });

  it('keep a failure that came after the success, however late they react, and supersede the one before', async () => {
    const before = await run('mail', 'a', 'fails');
    await run('mail', 'a', 'succeeds');
    const after = await run('mail', 'a', 'fails');
    start(clearing());
    await caughtUp(NAME);
    expect((await typesOf(before)).at(-1)).toBe('TaskSuperseded');
    expect((await typesOf(after)).at(-1)).toBe('TaskFailed');
  });

  it('go on while a queue cannot be read, and react to its successes once it can', async () => {
    const damage = (version: number) =>
      app.db.pool.query('update segments set version = $1 where position = $2', [version, queueAt]);
    const queueAt = String((await app.db.store.head()) + 1n);
    await app.db.store.append([defineQueue('sick')]);
    const tasks: AppendItem[] = [];
    for (const queue of ['sick', 'mail']) {
      tasks.push(await run(queue, 'a', 'fails'));
      await run(queue, 'a', 'succeeds');
    }
    await damage(99);
    start(clearing());
    await caughtUp(NAME);
    const [sick, well] = tasks as [AppendItem, AppendItem];
    expect((await typesOf(well)).at(-1)).toBe('TaskSuperseded');
    expect((await typesOf(sick)).at(-1)).toBe('TaskFailed');
    expect(await putAside(NAME)).toMatchObject([{ error: expect.stringContaining('version 99') }]);
    await damage(1);
    await until('the event to be dealt with', async () => (await putAside(NAME)).length === 0 || null);
    expect((await typesOf(sick)).at(-1)).toBe('TaskSuperseded');
  });

  it('go on while the data of a success are damaged, and react to it once they are mended', async () => {
    const [sick, well] = [await run('mail', 'sick', 'fails'), await run('mail', 'well', 'fails')];
    const success = await run('mail', 'sick', 'succeeds');
    await run('mail', 'well', 'succeeds');
    const { position } = (await app.db.store.readStreams([success.stream]))[0]!.at(-1)!;
    const { rows } = await app.db.pool.query('select shared, data from segments where position = $1', [position]);
    const store = (shared: unknown, data: unknown) =>
      app.db.pool.query('update segments set shared = $2, data = $3 where position = $1', [position, shared, data]);
    await store(null, '{"broken');
    start(clearing());
    await caughtUp(NAME);
    expect((await typesOf(well)).at(-1)).toBe('TaskSuperseded');
    expect((await typesOf(sick)).at(-1)).toBe('TaskFailed');
    expect(await putAside(NAME)).toHaveLength(1);
    await store(rows[0]!.shared, rows[0]!.data);
    await until('the success to be dealt with', async () => (await putAside(NAME)).length === 0 || null);
    expect((await typesOf(sick)).at(-1)).toBe('TaskSuperseded');
  });

  it('hold a success of a later version, whose data may mean something else, and react to it once they know it', async () => {
    const [later, known] = [await run('mail', 'later', 'fails'), await run('mail', 'known', 'fails')];
    const success = await run('mail', 'later', 'succeeds');
    await run('mail', 'known', 'succeeds');
    const { position, event } = (await app.db.store.readStreams([success.stream]))[0]!.at(-1)!;
    const store = (version: number) =>
      app.db.pool.query('update segments set version = $2 where position = $1', [position, version]);
    await store(99);
    start(clearing());
    await caughtUp(NAME);
    expect((await typesOf(known)).at(-1)).toBe('TaskSuperseded');
    expect((await typesOf(later)).at(-1)).toBe('TaskFailed');
    expect(await putAside(NAME)).toMatchObject([{ error: expect.stringContaining(`'TaskSucceeded' version 99`) }]);
    await again(NAME, 1);
    expect((await typesOf(later)).at(-1)).toBe('TaskFailed');
    await store(event.version);
    await until('the success to be dealt with', async () => (await putAside(NAME)).length === 0 || null);
    expect((await typesOf(later)).at(-1)).toBe('TaskSuperseded');
  });

  it('keep failures if the policy says so, or if the success has no key', async () => {
    start(clearing());
    const kept = await run('kept', 'a', 'fails');
    await run('kept', 'a', 'succeeds');
    const keyed = await run('mail', 'a', 'fails');
    await run('mail', undefined, 'succeeds');
    await caughtUp(NAME);
    for (const task of [kept, keyed]) expect((await typesOf(task)).at(-1)).toBe('TaskFailed');
  });

  it('react again after a crash, without recording it twice', async () => {
    const first = start(clearing());
    const task = await run('mail', 'a', 'fails');
    await run('mail', 'a', 'succeeds');
    await caughtUp(NAME);
    await first.stop();
    await app.db.pool.query('update projection_checkpoints set position = 0');
    start(clearing());
    await caughtUp(NAME);
    expect((await typesOf(task)).filter((type) => type === 'TaskSuperseded')).toHaveLength(1);
  });

  it('go on after an event that they cannot handle, which is put aside and tried again', async () => {
    await run('mail', 'a', 'fails');
    const at = (await app.db.store.head()) - 1n;
    const seen: bigint[] = [];
    const fault = { error: new TypeError('no such\0thing'), lasts: true };
    start(faulty('patient', at, fault, seen));
    await run('mail', 'b', 'fails');
    await caughtUp('patient');
    expect(seen).toEqual(expect.arrayContaining([at - 1n, at + 1n, await app.db.store.head()]));
    expect(await putAside('patient')).toMatchObject([
      { line: String(at), position: String(at), error: 'no such\uFFFDthing' },
    ]);
    fault.lasts = false;
    await until('the event to be dealt with', async () => (await putAside('patient')).length === 0 || null);
    expect(seen).toContain(at);
  });

  it('wait, and lose nothing, once they have put as many events aside as they may', async () => {
    const seen: bigint[] = [];
    let isWell = false;
    const sick: Reaction = {
      name: 'sick',
      types: EVERY_TYPE,
      concerns: () => true,
      react: async ({ position }) => {
        seen.push(position);
        if (!isWell) throw new Error('no such thing');
      },
    };
    await app.db.pool.query(
      `insert into events_put_aside (follower, line, position, error, retry_at)
       select 'sick', n::text, n, 'full', now() + interval '1 day' from generate_series(1000001, 1000000 + $1::int) n`,
      [MOST_PUT_ASIDE],
    );
    start(sick);
    await until('several tries', async () => seen.filter((position) => position === seen[0]).length > 1 || null);
    expect((await putAside('sick')).filter(({ error }) => error !== 'full')).toEqual([]);
    await app.db.pool.query(`delete from events_put_aside where position > 1000000`);
    isWell = true;
    await caughtUp('sick');
    expect(new Set(seen).size).toBe(Number(await app.db.store.head()));
  });

  it('put an event aside for longer after each failure, for five minutes at most', async () => {
    await run('mail', 'a', 'fails');
    const at = await app.db.store.head();
    const runner = start(faulty('patient', at, BAD));
    await caughtUp('patient');
    for (let round = 0; round < 3; round++) {
      const [row] = await putAside('patient');
      expect(Number(row!.pause)).toBe(2 ** (Number(row!.tries) - 1));
      await again('patient', Number(row!.tries));
    }
    await runner.stop();
    await app.db.pool.query('update events_put_aside set tries = 1000');
    start(faulty('patient', at, BAD));
    await again('patient', 1000);
    expect(Number((await putAside('patient'))[0]!.pause)).toBe(300);
  });

  it.each([
    ['a store is away', new EventStoreUnavailable('away')],
    ['the system drains', new NotTakenNow('drains')],
    ['a function is missing because another build migrates', Object.assign(new Error('none'), { code: '42883' })],
  ])('wait, and put nothing aside, while %s', async (_, error) => {
    await run('mail', 'a', 'fails');
    const fault = { error, lasts: true };
    const seen: bigint[] = [];
    const at = await app.db.store.head();
    start(faulty('patient', at, fault, seen));
    await until('several tries', async () => seen.filter((position) => position === at - 1n).length > 2 || null);
    expect(await putAside('patient')).toEqual([]);
    fault.lasts = false;
    await caughtUp('patient');
    expect(seen).toContain(at);
  });

  async function putAside(follower: string): Promise<Record<string, string>[]> {
    const { rows } = await app.db.pool.query(
      `select *, round(extract(epoch from retry_at - tried_at)) as pause from events_put_aside where follower = $1 order by position`,
      [follower],
    );
    return rows;
  }

  /** Waits for the next try, which is made due at once. */
  async function again(follower: string, tries: number): Promise<void> {
    await app.db.pool.query('update events_put_aside set retry_at = now() where follower = $1', [follower]);
    await until('another try', async () => Number((await putAside(follower))[0]!.tries) > tries || null);
  }
});

const EVERY_TYPE = Object.keys(EVENTS);

interface Fault {
  readonly error: Error;
  lasts: boolean;
}

const BAD: Fault = { error: new TypeError('no such thing'), lasts: true };

/** Fails at one position, as long as the fault lasts. `seen` gets the others. */
function faulty(name: string, at: bigint, fault: Fault, seen: bigint[] = []): Reaction {
  const react = ({ position }: RecordedEvent): Promise<void> => {
    if (position === at && fault.lasts) return Promise.reject(fault.error);
    seen.push(position);
    return Promise.resolve();
  };
  return { name, types: EVERY_TYPE, concerns: () => true, react };
}
