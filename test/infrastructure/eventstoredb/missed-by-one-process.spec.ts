import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { EventStore, RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { eventsOf, segmentsOf } from '../../../src/application/kernel/log-segment.js';
import type { Reaction } from '../../../src/application/reactions/reaction.js';
import { LineageConsumer } from '../../../src/infrastructure/lineage/lineage-consumer.js';
import { lineageOf } from '../../../src/infrastructure/lineage/lineage-model.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { Follower } from '../../../src/infrastructure/projection-engine/follower.js';
import { LogFeed } from '../../../src/infrastructure/projection-engine/log-feed.js';
import { Progress } from '../../../src/infrastructure/projection-engine/progress.js';
import { ProjectionConsumer } from '../../../src/infrastructure/projection-engine/projection-consumer.js';
import { Rebuild } from '../../../src/infrastructure/projection-engine/rebuild.js';
import { ReactionConsumer } from '../../../src/infrastructure/reactions/reaction-consumer.js';
import { BUILT_ANEW, FOLLOWED } from '../../../src/projections/read-models.js';
import { foldCounts, storedCounts } from '../../projections/model-fold.js';
import { enqueue } from '../../support/events.js';
import { openStore, type StoreFixture } from '../../support/eventstoredb/open-store.js';
import { until } from '../../support/until.js';

const PATIENCE_MS = 120_000;
const REACTION = 'reaction-of-another-process';
const MODELS = BUILT_ANEW;
/** The task that all others run again. */
const CAUSE = '019a0000-0000-7000-8000-000000000000';

/** The log as another process gets it: each event of these streams is left out once. */
function lossy(store: EventStore, skipped: Set<string>): EventStore {
  async function* follow(...args: Parameters<EventStore['follow']>): ReturnType<EventStore['follow']> {
    for await (const segments of store.follow(...args))
      yield segmentsOf(eventsOf(segments).filter(({ stream }) => !skipped.delete(stream)));
  }
  return Object.create(store, { follow: { value: follow } }) as EventStore;
}

describe('an event that only the subscription of another process did not deliver', () => {
  let store: StoreFixture;
  let leaders: Leaders;
  let followers: readonly Follower[];
  let reaction: ReactionConsumer;
  let warned: jest.SpiedFunction<Logger['warn']>;
  const skipped = new Set<string>();
  const reactedTo = new Set<string>();

  beforeAll(async () => {
    warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    store = await openStore();
    leaders = new Leaders(store.pool);
    const feed = new LogFeed(lossy(store.store, skipped));
    const parts = { pool: store.pool, feed, leaders, progress: new Progress() };
    const rebuild = new Rebuild(store.store, store.pool, leaders);
    const recording: Reaction = {
      name: REACTION,
      types: ['TaskEnqueued'],
      concerns: () => true,
      react: async ({ stream }) => void reactedTo.add(stream),
    };
    reaction = new ReactionConsumer(recording, store.pool, store.store);
    const lineage = new LineageConsumer(store.pool, lineageOf(store.store), rebuild);
    const models = FOLLOWED.map((one) => new ProjectionConsumer(one, store.pool, rebuild));
    const consumers = [...models, lineage, reaction];
    followers = consumers.map((one) => new Follower(one, parts));
    for (const follower of followers) follower.start();
    await allPass(await append());
    await store.comparison.look();
  });
  beforeEach(async () => {
    warned.mockClear();
    await store.pool.query('delete from log_gaps');
  });
  afterAll(async () => {
    for (const follower of followers) await follower.stop();
    await leaders.close();
    await store.close();
    jest.restoreAllMocks();
  });

  async function append(fate: 'comes' | 'skipped' = 'comes'): Promise<RecordedEvent> {
    const one = enqueue('q', { rerunOf: { task: CAUSE } });
    if (fate === 'skipped') skipped.add(one.stream);
    await store.log.append([one]);
    const [events] = await store.log.readStreams([one.stream]);
    return events![0]!;
  }

  /** An event that neither the index nor the other process gets. */
  async function appendUnseen(): Promise<void> {
    const one = enqueue('q', { rerunOf: { task: CAUSE } });
    for (let subscriptions = 2; subscriptions > 0; subscriptions--)
      store.server!.faults.skipEvent(({ stream }) => stream.endsWith(one.stream));
    await store.log.append([one]);
  }

  /** Resolves when the index and all followers have passed the event, and no model is to be built anew. */
  async function allPass({ position }: RecordedEvent): Promise<void> {
    const names = [...MODELS, REACTION];
    const text = `select from projection_checkpoints where slot = 'live' and position >= $1 and version > 0 and name = any ($2)`;
    const arePast = async () => {
      const { rows } = await store.pool.query(text, [position, names]);
      return rows.length === names.length && (await store.index.reached(position, 0)) ? true : null;
    };
    await until('all to have passed the event', arePast, PATIENCE_MS);
  }

  /** Resolves when all get what comes from the feed. After the first event, the models may still be about to read the log themselves. */
  async function allFollow(): Promise<void> {
    await allPass(await append());
    await allPass(await append());
  }

  const found = (): number => warned.mock.calls.filter(([text]) => /1 did not come/.test(String(text))).length;

  const gaps = async (): Promise<readonly string[]> =>
    (await store.pool.query<{ kind: string }>('select kind from log_gaps')).rows.map(({ kind }) => kind);

  async function expectWholeModels(): Promise<void> {
    const events = await store.log.readAll(0n, 1_000);
    for (const model of FOLLOWED) expect(await storedCounts(model, store.pool)).toEqual(foldCounts(model, events));
    const { rows } = await store.pool.query('select effect from lineage where cause = $1 order by position', [CAUSE]);
    expect(rows).toEqual(events.map(({ stream }) => ({ effect: taskIdOf(stream) })));
  }

  it('is not believed to be missing after models were built anew, or while all comes', async () => {
    for (let round = 0; round < 5; round++) {
      await allPass(await append());
      if (round === 2)
        await store.pool.query('update projection_checkpoints set version = 0 where name = any ($1)', [MODELS]);
      await store.comparison.look();
      await append();
      await store.comparison.look();
    }
    expect(await gaps()).toEqual([]);
  });

  it('is counted, and the read models are built anew', async () => {
    await allFollow();
    // A look compares one count of each follower: that of a model that was built anew comes first.
    await store.comparison.look();
    await append('skipped');
    await allPass(await append());
    await store.comparison.look();
    expect(await gaps()).toEqual(['skipped']);
    const said = warned.mock.calls.map(([text]) => String(text));
    for (const name of MODELS)
      expect(said).toContainEqual(expect.stringMatching(`'${name}' to get each event .* 1 did not come`));
    await allPass(await append());
    await expectWholeModels();
  });

  it('comes late to a reaction', async () => {
    const late = await append('skipped');
    await allPass(await append());
    expect(reactedTo).not.toContain(late.stream);
    await store.comparison.look();
    const isReactedTo = async () => {
      await reaction.retry();
      return reactedTo.has(late.stream) || null;
    };
    await until('the reaction to get it', isReactedTo, PATIENCE_MS);
  });

  it('is found wherever followers and comparison are meanwhile, and right after a model was built anew', async () => {
    await store.pool.query('update projection_checkpoints set version = 0 where name = any ($1)', [MODELS]);
    await allFollow();
    await append('skipped');
    await store.comparison.look();
    await append();
    const isFound = async () => {
      await store.comparison.look();
      return found() === MODELS.length + 1 || null;
    };
    await until('all to be said to lack it', isFound, PATIENCE_MS);
    await allPass(await append());
    await expectWholeModels();
  });

  it('is found right after the index has found another that came to nobody', async () => {
    if (!store.server) return;
    await appendUnseen();
    await allPass(await append());
    await store.comparison.look();
    expect(await gaps()).toEqual(['skipped']);
    await allFollow();
    await append('skipped');
    await allPass(await append());
    const isFound = async () => {
      await store.comparison.look();
      return found() >= MODELS.length || null;
    };
    await until('all models to be said to lack it', isFound, PATIENCE_MS);
    await allPass(await append());
    await expectWholeModels();
  });
});
