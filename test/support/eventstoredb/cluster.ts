import { EventStoreDbFixture } from './fixture.js';
import { FixtureLog } from './fixture-log.js';

/**
 * Several nodes with one log: what a node has acknowledged all of them have, as in a cluster whose quorum has it. Elections are held
 * when the test says so: until then nobody takes writes.
 */
export class FixtureCluster {
  readonly log = new FixtureLog();
  readonly nodes: EventStoreDbFixture[] = [];

  static async start(count = 3): Promise<FixtureCluster> {
    const cluster = new FixtureCluster();
    for (let n = 0; n < count; n++) cluster.nodes.push(await EventStoreDbFixture.start({ cluster }));
    cluster.elect(cluster.nodes[0]!);
    return cluster;
  }

  /** Of all nodes. */
  get url(): string {
    const hosts = this.nodes.map(({ endPoint: { address, port } }) => `${address}:${port}`);
    return `esdb://${hosts.join(',')}?tls=false&discoveryInterval=20&maxDiscoverAttempts=5`;
  }

  get leader(): EventStoreDbFixture {
    return this.nodes.find(({ state, isUp }) => isUp && state === 'leader')!;
  }

  elect(leader: EventStoreDbFixture): void {
    for (const node of this.nodes) node.state = node === leader ? 'leader' : 'follower';
  }

  /**
   * The leader is gone with all its connections. The others either do not know it yet, and hand appends on to nobody, or they do: then
   * clients find no node to go to until one is elected.
   */
  async killLeader(others: 'do not know' | 'elect' = 'elect'): Promise<EventStoreDbFixture> {
    const { leader } = this;
    await leader.stop();
    for (const node of this.nodes) node.state = others === 'elect' ? 'unknown' : 'follower';
    return leader;
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }
}
