import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import type { AppendItem, RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { countGaps } from '../../../src/infrastructure/eventstoredb/reservations/gap-counts.js';
import { Follower } from '../../../src/infrastructure/projection-engine/follower.js';
import { LogFeed } from '../../../src/infrastructure/projection-engine/log-feed.js';
import { Progress } from '../../../src/infrastructure/projection-engine/progress.js';
import { ProjectionConsumer } from '../../../src/infrastructure/projection-engine/projection-consumer.js';
import { Rebuild } from '../../../src/infrastructure/projection-engine/rebuild.js';
import { FOLLOWED } from '../../../src/projections/read-models.js';
import { foldCounts, storedCounts } from '../../projections/model-fold.js';
import { enqueue } from '../../support/events.js';
import { openStore, type StoreFixture } from '../../support/eventstoredb/open-store.js';
import {
  ACTS,
  type Append,
  type Fate,
  FATES,
  fatesOf,
  historyOf,
  MOST_MS,
  runs,
} from '../../support/eventstoredb/random-histories.js';
import { until } from '../../support/until.js';

/** Else a subscription on a busy machine begins anew, and gets what was skipped. */
const WATCH_MS = 3_600_000;
const PATIENCE_MS = 60_000;

describe.each([
  ['in the process of the index', 1],
  ['in another process', 2],
])('read models %s', (_, subscriptions) => {
  let store: StoreFixture;
  let leaders: Leaders;
  let models: readonly Follower[];
  let warned: jest.SpiedFunction<Logger['warn']>;
  let observed: Promise<void>;
  const ended = new AbortController();

  beforeAll(async () => {
    warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    // After a break, what was skipped would be sent again.
    store = await openStore({ fixture: { breaksEvery: 0 }, watchMs: WATCH_MS });
    leaders = new Leaders(store.pool);
    const feed = subscriptions === 1 ? store.feed : new LogFeed(store.store);
    observed = observe(feed, ended.signal);
    const parts = { pool: store.pool, feed, leaders, progress: new Progress() };
    const rebuild = new Rebuild(store.store, store.pool, leaders);
    models = FOLLOWED.map((one) => new Follower(new ProjectionConsumer(one, store.pool, rebuild), parts));
    for (const model of models) model.start();
    await modelsAt(await appendAnother());
    await store.comparison.look();
  });
  beforeEach(async () => {
    warned.mockClear();
    await store.pool.query('delete from log_gaps');
  });
  afterAll(async () => {
    ended.abort();
    await observed;
    for (const model of models) await model.stop();
    await leaders.close();
    await store.close();
    jest.restoreAllMocks();
  });

  /** Something else, so that the index passes what it did not get. */
  async function appendAnother(): Promise<bigint> {
    const [result] = await store.log.append([enqueue('other')]);
    const { position } = result as { readonly position: bigint };
    await until(
      'the index to pass it',
      async () => ((await store.index.reached(position, 0)) ? true : null),
      PATIENCE_MS,
    );
    return position;
  }

  /** Follows the log, so that its subscription stays while the models are built anew. */
  async function observe(feed: LogFeed, signal: AbortSignal): Promise<void> {
    const cursor = feed.open(0n, { restAfter: () => 0 });
    for (let position = 0n; !signal.aborted;)
      position = (await cursor.next(position, signal)).at(-1)?.position ?? position;
    await cursor.close();
  }

  /** Resolves when every model has this event, and none is to be built anew. */
  async function modelsAt(position: bigint): Promise<void> {
    const text = `select name, version from projection_checkpoints where slot = 'live' and position >= $1 and name = any ($2) order by 1`;
    const expected = FOLLOWED.map(({ name, version }) => `${name} ${version}`).sort();
    const areThere = async (): Promise<true | null> => {
      const { rows } = await store.pool.query<{ name: string; version: number }>(text, [
        String(position),
        FOLLOWED.map(({ name }) => name),
      ]);
      const found = rows.map(({ name, version }) => `${name} ${version}`);
      return found.join() === expected.join() ? true : null;
    };
    await until('the models to follow', areThere, PATIENCE_MS);
  }

  /** Stores an append, of which each subscription gets each event as often as its fate says. */
  async function append(appended: Append, fate: Fate): Promise<void> {
    const [{ stream, recordedAt }] = appended as [Append[number]];
    const { faults } = store.server!;
    for (const { revision } of fate === 'comes' ? [] : Array<Append>(subscriptions).fill(appended).flat()) {
      const isThis = (sent: { stream: string; revision: bigint }): boolean =>
        sent.stream.endsWith(stream) && sent.revision === BigInt(revision);
      if (fate === 'skipped') faults.skipEvent(isThis);
      else faults.repeatEvent(isThis);
    }
    const events = appended.map(({ id, event, envelope }) => ({ id, event, envelope }));
    const one: AppendItem = { stream, expected: appended[0]!.revision - 1, events };
    expect(await store.log.append([one], { recordedAt })).toMatchObject([{ kind: 'appended' }]);
  }

  const counted = async (): Promise<{ readonly doubled?: number }> =>
    (
      await store.pool.query<{ gaps: { doubled?: number } }>(
        `select coalesce(jsonb_object_agg(kind, gaps), '{}') as gaps from log_gaps`,
      )
    ).rows[0]!.gaps;

  async function wholeLog(): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (let page = await store.log.readAll(0n, 1_000); page.length > 0;) {
      events.push(...page);
      page = await store.log.readAll(events.at(-1)!.position, 1_000);
    }
    return events;
  }

  const doubled = async (): Promise<number> => (await counted()).doubled ?? 0;

  const told = (): number => warned.mock.calls.filter(([text]) => /did not come|came again/.test(String(text))).length;

  it('count every event once, whatever is skipped or doubled on its way, and every gap is logged and counted', async () => {
    const end = performance.now() + MOST_MS;
    const sum = { skipped: 0, doubled: 0 };
    const property = fc.asyncProperty(ACTS, FATES, async (acts, fates) => {
      if (performance.now() > end) return;
      const { appends, gaps } = fatesOf(await historyOf(acts, `q-${uuidv7()}`), fates);
      for (const one of appends) await append(one.append, one.fate);
      await appendAnother();
      while (await store.comparison.look());
      await modelsAt(await appendAnother());
      await until(
        'each subscription to have come here',
        async () => store.server!.faults.unsent === 0 || null,
        PATIENCE_MS,
      );
      const events = await wholeLog();
      for (const model of FOLLOWED) expect(await storedCounts(model, store.pool)).toEqual(foldCounts(model, events));
      sum.skipped += gaps.skipped;
      sum.doubled += gaps.doubled * subscriptions;
      // What came again is counted beside its delivery.
      await until('each gap to be counted', async () => (await doubled()) >= sum.doubled || null, PATIENCE_MS);
      expect({ skipped: 0, doubled: 0, ...(await counted()) }).toEqual(sum);
      expect(told()).toBe(sum.skipped + sum.doubled);
    });
    await fc.assert(property, runs());
  }, 3_600_000);

  it('are built anew after a gap, also if no event follows', async () => {
    const last = await appendAnother();
    await modelsAt(last);
    await countGaps(store.pool, [
      { kind: 'skipped', stream: taskStream(uuidv7()), first: 0, last: 0, from: last, to: last, positions: [last] },
    ]);
    await modelsAt(last);
  });
});
