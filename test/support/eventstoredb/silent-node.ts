import { defaultScheme } from './fixture.js';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** How long the client waits for a node's gossip. */
export const GOSSIP_MS = 5_000;

export interface SilentNode {
  /** The URL of a cluster that has no other node. */
  readonly url: string;
  close(): void;
}

/** Accepts connections and never answers, as behind a firewall. A client looks for the leader for ten seconds. */
export async function silentNode(): Promise<SilentNode> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${defaultScheme()}+discover://127.0.0.1:${port}?tls=false&maxDiscoverAttempts=2`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
