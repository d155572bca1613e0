import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What a commit looks like on the wire: the statement by itself, or the append that is a transaction of its own. */
const COMMITS = [Buffer.from('commit\0'), Buffer.from('waybill_append\0')];

/** A client's connection to the proxy, and the proxy's to the server. */
interface Link {
  readonly client: Socket;
  readonly server: Socket;
  loses: boolean;
  isDead: boolean;
}

/** Forwards everything between clients and a server, unless a test lets something happen to it. */
export class LossyProxy {
  /** The answers to commits that were lost. */
  lost = 0;
  /** The parts that were sent on abandoned connections. */
  swallowed = 0;
  private toLose = 0;
  private isParted = false;
  private readonly links = new Set<Link>();

  private constructor(private readonly server: Server) {}

  /** `url`: a server that is reached over TCP. */
  static async before(url: string): Promise<LossyProxy> {
    const { hostname, port } = new URL(url);
    const server = createServer((client) => proxy.forward(client, connect(Number(port), hostname)));
    const proxy = new LossyProxy(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** The same server, through this proxy. */
  through(url: string): string {
    const { port } = this.server.address() as AddressInfo;
    return url.replace(new URL(url).host, `127.0.0.1:${port}`);
  }

  /** Loses the answers to the next commits: the server's first bytes arrive here, and both connections end. */
  loseNext(count: number): void {
    this.toLose = count;
  }

  /** Parts both sides: connections stay open, and what is sent waits. New ones get no answer either. */
  part(): void {
    this.isParted = true;
    for (const { client, server } of this.links) [client, server].forEach((socket) => socket.pause());
  }

  /** What waited arrives late. */
  heal(): void {
    this.isParted = false;
    for (const { client, server } of this.links) [client, server].forEach((socket) => socket.resume());
  }

  /** The server vanishes for those who are connected: their connections stay open, and nothing passes. Others pass. */
  abandon(): void {
    for (const link of this.links) link.isDead = true;
  }

  /** Ends the server's side of what was abandoned, as its probes do. The clients still learn nothing. */
  endAbandoned(): void {
    for (const { isDead, server } of this.links) if (isDead) server.destroy();
  }

  close(): void {
    this.server.close();
    for (const { client, server } of this.links) [client, server].forEach((socket) => socket.destroy());
  }

  private forward(client: Socket, server: Socket): void {
    const link: Link = { client, server, loses: false, isDead: false };
    this.links.add(link);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined).on('close', () => this.ended(link, other));
      socket.on('data', (sent) => this.pass(link, other, sent));
      if (this.isParted) socket.pause();
    }
  }

  private pass(link: Link, to: Socket, sent: Buffer): void {
    const isAnswer = to === link.client;
    if (link.isDead) this.swallowed += 1;
    else if (isAnswer && link.loses) {
      this.lost += 1;
      this.ended(link, link.server);
      link.client.destroy();
    } else {
      if (!isAnswer) this.notice(link, sent);
      to.write(sent);
    }
  }

  private notice(link: Link, sent: Buffer): void {
    if (link.loses || this.toLose === 0 || !COMMITS.some((text) => sent.includes(text))) return;
    this.toLose -= 1;
    link.loses = true;
  }

  /** One side has closed, so the other one closes too. Nobody learns it of a dead link. */
  private ended(link: Link, other: Socket): void {
    if (!link.isDead) other.destroy();
    if (link.client.destroyed && link.server.destroyed) this.links.delete(link);
  }
}
