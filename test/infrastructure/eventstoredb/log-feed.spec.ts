import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sizeOf } from '../../../src/application/kernel/log-segment.js';
import { LogFeed } from '../../../src/infrastructure/projection-engine/log-feed.js';
import { defineQueue, enqueue } from '../../support/events.js';
import type { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';
import { openStore, type StoreFixture } from '../../support/eventstoredb/open-store.js';
import { until } from '../../support/until.js';

const FOLLOWERS = 7;
const NO_REST = { restAfter: () => 0 };

describe('the followers of a process that starts', () => {
  let fixture: StoreFixture;
  let server: EventStoreDbFixture;
  let feed: LogFeed;

  beforeAll(async () => {
    fixture = await openStore({ fixture: { breaksEvery: 0 } });
    server = fixture.server!;
    await append(defineQueue('q'), enqueue('q'));
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    feed = new LogFeed(fixture.store);
  });

  async function append(...items: readonly ReturnType<typeof enqueue>[]): Promise<void> {
    for (const one of items) await fixture.store.append([one]);
  }

  /** Returns how many events each of them gets first. */
  async function follow(positions: readonly bigint[], work: () => Promise<void>): Promise<number[]> {
    const { signal } = new AbortController();
    const cursors = positions.map((position) => feed.open(position, NO_REST));
    const segments = cursors.map((cursor, at) => cursor.next(positions[at]!, signal));
    await work();
    const sizes = (await Promise.all(segments)).map(sizeOf);
    await Promise.all(cursors.map((cursor) => cursor.close()));
    return sizes;
  }

  it('open one subscription, if none of them is behind', async () => {
    const { subscriptions } = server.opened;
    const head = await fixture.store.head();
    const isOpen = async () => (server.opened.subscriptions > subscriptions ? true : null);
    const sizes = await follow(Array(FOLLOWERS).fill(head), async () => {
      // Otherwise those that come after the event are behind.
      await until('a subscription', isOpen);
      await append(enqueue('q'));
    });
    expect(sizes).toEqual(Array(FOLLOWERS).fill(1));
    expect(server.opened.subscriptions - subscriptions).toBe(1);
  });

  it('and one that is behind gets what it lacks', async () => {
    const [head, all] = [await fixture.store.head(), (await fixture.store.readAll(0n, 100)).length];
    const [lacking, ...others] = await follow([0n, head, head], () => append(enqueue('q')));
    expect(lacking).toBeGreaterThanOrEqual(all);
    expect(others).toEqual([1, 1]);
  });
});
