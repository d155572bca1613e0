import { defaultScheme, EventStoreDbFixture, type Release, type Scheme } from './fixture.js';
import { FixtureLog } from './fixture-log.js';

/**
 * Several nodes with one log: all of them have what one has acknowledged, as in a cluster with a quorum. Elections take
 * place when the test says so. Until then, no node accepts writes.
 */
export class FixtureCluster {
  readonly log = new FixtureLog();
  readonly nodes: EventStoreDbFixture[] = [];

  private constructor(private readonly scheme: Scheme) {}

  static async start(count = 3, release?: Release, scheme = defaultScheme()): Promise<FixtureCluster> {
    const cluster = new FixtureCluster(scheme);
    for (let n = 0; n < count; n++)
      cluster.nodes.push(await EventStoreDbFixture.start({ cluster, scheme, ...(release && { release }) }));
    cluster.elect(cluster.nodes[0]!);
    return cluster;
  }

  /** The URL of all nodes. */
  get url(): string {
    const hosts = this.nodes.map(({ endPoint: { address, port } }) => `${address}:${port}`);
    return `${this.scheme}://${hosts.join(',')}?tls=false&discoveryInterval=20&maxDiscoverAttempts=5`;
  }

  get leader(): EventStoreDbFixture {
    return this.nodes.find(({ state, isUp }) => isUp && state === 'leader')!;
  }

  elect(leader: EventStoreDbFixture): void {
    for (const node of this.nodes) node.state = node === leader ? 'leader' : 'follower';
  }

  /**
   * Stops the leader with all its connections. The other nodes either do not know it yet, and forward appends to
   * nobody, or they do, and clients find no node until one is elected.
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
