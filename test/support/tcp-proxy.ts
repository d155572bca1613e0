import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** The URL of the database, through the proxy. */
  readonly url: string;
  /** The proxy's ends of the clients' connections. */
  readonly clients: ReadonlySet<Socket>;
  /** From now on, what is sent over this connection arrives nowhere, and nobody learns of it. */
  swallow(client: Socket): void;
  close(): void;
}

/** A way to the database over the network, which can be broken without a trace. */
export async function tcpProxyTo(databaseUrl: string): Promise<TcpProxy> {
  const clients = new Set<Socket>();
  const servers = new Map<Socket, Socket>();
  const proxy = createServer((client) => {
    const server = connect(addressOf(databaseUrl));
    clients.add(client);
    servers.set(client, server);
    for (const [end, other] of [
      [client, server],
      [server, client],
    ] as const) {
      end.on('error', () => undefined);
      end.on('close', () => other.destroy());
      end.pipe(other);
    }
    client.on('close', () => clients.delete(client));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    url: url.href,
    clients,
    swallow: (client) => {
      const server = servers.get(client)!;
      client.unpipe(server).resume();
      server.unpipe(client).resume();
      // Neither end hears of the other's end.
      for (const end of [client, server]) end.removeAllListeners('close');
    },
    close: () => {
      proxy.close();
      for (const end of [...clients, ...servers.values()]) end.destroy();
    },
  };
}

function addressOf(databaseUrl: string): { path: string } | { host: string; port: number } {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  const folder = searchParams.get('host');
  return folder ? { path: `${folder}/.s.PGSQL.${port || 5432}` } : { host: hostname, port: Number(port || 5432) };
}
