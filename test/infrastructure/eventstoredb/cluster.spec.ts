import { EventStoreUnavailable, type RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { FixtureCluster } from '../../support/eventstoredb/cluster.js';
import type { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';
import { type LogFixture, openLog } from '../../support/eventstoredb/open-log.js';
import { GOSSIP_MS, type SilentNode, silentNode } from '../../support/eventstoredb/silent-node.js';
import { enqueue } from '../../support/events.js';
import { inTime } from '../../support/in-time.js';
import { until } from '../../support/until.js';

/** A log whose client is connected to a follower, as after connecting during an election. */
describe('given a client connected to a follower of a cluster', () => {
  let cluster: FixtureCluster;
  let leader: EventStoreDbFixture;
  let follower: EventStoreDbFixture;
  let next: EventStoreDbFixture;
  let fixture: LogFixture;
  beforeEach(async () => {
    // Counts the calls in which appends go one by one.
    cluster = await FixtureCluster.start(3, '24.6.0');
    [leader, follower, next] = cluster.nodes as [EventStoreDbFixture, EventStoreDbFixture, EventStoreDbFixture];
    fixture = await openLog({ on: leader, url: cluster.url, attemptMs: 2_000, watchMs: 50 });
  });
  afterEach(async () => {
    await fixture.close();
    await cluster.stop();
  });

  async function withTheFollower(connect: () => Promise<unknown>): Promise<void> {
    for (const node of [leader, next]) node.state = 'unknown';
    follower.state = 'follower';
    await connect();
    cluster.elect(leader);
  }

  const gossips = (): number => cluster.nodes.reduce((sum, node) => sum + node.gossips, 0);

  it('looks for the next leader, even if the follower stays up and knows of none', async () => {
    await withTheFollower(() => fixture.log.head());
    await fixture.log.append([enqueue('q')]);
    expect(follower.openCalls).toBe(1);

    await cluster.killLeader('elect');
    const looks = gossips();
    const later = fixture.log.append([enqueue('q')]);
    await until('a look for the leader', async () => (gossips() > looks ? true : null), 5_000);
    next.state = 'leader';

    expect(await later).toMatchObject([{ kind: 'appended' }]);
    expect(follower.openCalls).toBe(0);
    expect(next.openCalls).toBe(1);
  });

  it('subscribes at the leader when the follower falls silent', async () => {
    const stop = new AbortController();
    const follow = () => fixture.log.subscribe(0n, { signal: stop.signal, heartbeatMs: 20 })[Symbol.asyncIterator]();
    const both = [follow(), follow()];
    await withTheFollower(async () => {
      await Promise.all(both.map((pages) => pages.next()));
      await until('two subscriptions', async () => (follower.opened.subscriptions >= 2 ? true : null));
    });

    follower.faults.silenceSubscriptions();
    const one = enqueue('q');
    await fixture.log.append([one]);
    const seen = await Promise.all(both.map(firstPage));
    stop.abort();
    await Promise.all(both.map((pages) => pages.next()));

    expect(seen.flat().map(({ stream }) => stream)).toEqual([one.stream, one.stream]);
    expect(leader.opened.subscriptions).toBeGreaterThanOrEqual(2);
  });
});

describe('given a cluster whose nodes are silent', () => {
  let node: SilentNode;
  let fixture: LogFixture;
  beforeEach(async () => {
    node = await silentNode();
    fixture = await openLog({ url: node.url, silenceMs: 200 });
  });
  afterEach(async () => {
    await fixture.close();
    node.close();
  });

  it('ends a read after its time-out, while the client still looks for the leader', () =>
    inTime('the read to end', GOSSIP_MS / 2, async () => {
      const began = performance.now();
      await expect(fixture.log.readStreams(['task-1'])).rejects.toThrow(EventStoreUnavailable);
      return performance.now() - began;
    }));

  it('ends a subscription at once', () =>
    inTime('the subscription to end', GOSSIP_MS / 2, async () => {
      const stop = new AbortController();
      const pages = fixture.log.subscribe(0n, { signal: stop.signal, heartbeatMs: 20 })[Symbol.asyncIterator]();
      expect(await pages.next()).toEqual({ done: false, value: [] });
      const began = performance.now();
      stop.abort();
      await pages.next();
      return performance.now() - began;
    }));
});

async function firstPage(pages: AsyncIterator<readonly RecordedEvent[]>): Promise<readonly RecordedEvent[]> {
  for (;;) {
    const page = (await pages.next()).value as readonly RecordedEvent[];
    if (page.length > 0) return page;
  }
}
