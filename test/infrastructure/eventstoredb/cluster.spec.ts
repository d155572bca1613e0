import { FixtureCluster } from '../../support/eventstoredb/cluster.js';
import type { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';
import { type LogFixture, openLog } from '../../support/eventstoredb/open-log.js';
import { enqueue } from '../../support/events.js';
import { until } from '../../support/until.js';

/** A log whose client is with a follower, as it is when it came while a leader was being elected. */
describe('the log of a cluster whose client is with a follower', () => {
  let cluster: FixtureCluster;
  let leader: EventStoreDbFixture;
  let follower: EventStoreDbFixture;
  let next: EventStoreDbFixture;
  let fixture: LogFixture;
  beforeEach(async () => {
    cluster = await FixtureCluster.start();
    [leader, follower, next] = cluster.nodes as [EventStoreDbFixture, EventStoreDbFixture, EventStoreDbFixture];
    fixture = await openLog({ on: leader, url: cluster.url, attemptMs: 2_000 });
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

  it('looks for the next leader, also where the follower stays up and knows of none', async () => {
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
});
