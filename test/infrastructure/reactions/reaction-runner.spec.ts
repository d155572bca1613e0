import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { AppendItem, RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { EventStoreUnavailable } from '../../../src/application/kernel/event-store.port.js';
import { ClearFailuresOnSuccess } from '../../../src/application/reactions/clear-failures-on-success.js';
import type { Reaction } from '../../../src/application/reactions/reaction.js';
import { EVENTS } from '../../../src/domain/events.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { CheckpointReadPositions } from '../../../src/infrastructure/projection-engine/checkpoint-read-positions.js';
import { LogFeed } from '../../../src/infrastructure/projection-engine/log-feed.js';
import { Progress } from '../../../src/infrastructure/projection-engine/progress.js';
import { ReactionRunner, Reactions } from '../../../src/infrastructure/reactions/reaction-runner.js';
import { claim, defineQueue, enqueue, failed, item, succeeded } from '../../support/events.js';
import { PostgresApplication } from './postgres-application.js';

const IN_TIME = 30_000;
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
    const runner = new ReactionRunner(new Reactions(all), pool, new LogFeed(store), leaders, progress);
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

  it('stop at an event that they cannot handle, after those before it, while others continue', async () => {
    await run('mail', 'a', 'fails');
    const head = await app.db.store.head();
    const seen: bigint[] = [];
    start(faulty('stuck', head, new TypeError('no such thing')), watching('watch', seen));
    await caughtUp('watch');
    await positions.caughtUpTo('stuck', head - 1n, IN_TIME);
    const row = await stopped('stuck');
    expect(row).toMatchObject({ position: String(head - 1n), stopped_at: String(head) });
    expect(row.error).toContain('no such thing');
    expect(seen).toContain(head);
  });

  it.each([
    ['a failure of the store', new EventStoreUnavailable('away')],
    ['a function that is missing while another build migrates', Object.assign(new Error('none'), { code: '42883' })],
  ])('try again after %s', async (_, error) => {
    await run('mail', 'a', 'fails');
    const head = await app.db.store.head();
    start(faulty('patient', head, error, 2));
    await caughtUp('patient');
    const { rows } = await app.db.pool.query(`select status from projection_checkpoints where name = 'patient'`);
    expect(rows).toEqual([{ status: 'running' }]);
  });

  async function stopped(name: string): Promise<Record<string, string>> {
    const until = Date.now() + IN_TIME;
    for (;;) {
      const { rows } = await app.db.pool.query('select * from projection_checkpoints where name = $1', [name]);
      if (rows[0]?.status === 'stopped') return rows[0];
      if (Date.now() > until) throw new Error(`Expected '${name}' to stop, but it is ${JSON.stringify(rows[0])}`);
    }
  }
});

const EVERY_TYPE = Object.keys(EVENTS);

const watching = (name: string, seen: bigint[]): Reaction => ({
  name,
  types: EVERY_TYPE,
  concerns: () => true,
  react: ({ position }: RecordedEvent) => {
    seen.push(position);
    return Promise.resolve();
  },
});

function faulty(name: string, at: bigint, error: Error, times = Infinity): Reaction {
  let left = times;
  const react = ({ position }: RecordedEvent): Promise<void> =>
    position === at && left-- > 0 ? Promise.reject(error) : Promise.resolve();
  return { name, types: EVERY_TYPE, concerns: () => true, react };
}
