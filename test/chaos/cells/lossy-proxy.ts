import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What a commit looks like on the wire: the statement by itself, or the append that is a transaction of its own. */
const COMMITS = [Buffer.from('commit\0'), Buffer.from('waybill_append\0')];

/** Forwards everything between clients and a Postgres, and sometimes loses the answer to a commit. */
export class LossyProxy {
  /** The answers that were lost. */
  lost = 0;
  private toLose = 0;

  private constructor(
    private readonly server: Server,
    private readonly sockets: Set<Socket>,
  ) {}

  /** `url`: a database that is reached over TCP. */
  static async before(url: string): Promise<LossyProxy> {
    const { hostname, port } = new URL(url);
    const sockets = new Set<Socket>();
    const server = createServer((client) => proxy.forward(client, connect(Number(port), hostname)));
    const proxy = new LossyProxy(server, sockets);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** The same database, through this proxy. */
  through(url: string): string {
    const { port } = this.server.address() as AddressInfo;
    return Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href;
  }

  /** Loses the answers to the next commits: the server's first bytes arrive here, and both connections end. */
  loseNext(count: number): void {
    this.toLose = count;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private forward(client: Socket, server: Socket): void {
    let loses = false;
    const end = (): void => void [client, server].map((socket) => socket.destroy());
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', end).on('close', () => this.sockets.delete(socket) && end());
    }
    client.on('data', (sent) => {
      if (!loses && this.toLose > 0 && COMMITS.some((text) => sent.includes(text))) {
        this.toLose -= 1;
        loses = true;
      }
      server.write(sent);
    });
    server.on('data', (answer) => {
      if (!loses) return void client.write(answer);
      this.lost += 1;
      end();
    });
  }
}
