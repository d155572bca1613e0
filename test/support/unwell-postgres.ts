import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};

const READY = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);

export const TERMINATED = 'terminating connection due to administrator command';

/** The message that a server being stopped sends to each connection before it closes it. */
export const FAREWELL = message('E', Buffer.from(`SFATAL\0C57P01\0M${TERMINATED}\0\0`));

export interface UnwellPostgres {
  readonly server: Server;
  readonly url: string;
  /** Closes open connections too. */
  close(): void;
}

/**
 * A Postgres that accepts every login and then closes the connection (at once, or instead of an answer), or never
 * answers again.
 */
export async function unwellPostgres(ends: 'at once' | 'when spoken to' | 'never'): Promise<UnwellPostgres> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The other side may close first.
    socket.on('error', () => undefined);
    socket.once('data', () => {
      if (ends === 'at once') return socket.end(Buffer.concat([READY, FAREWELL]));
      socket.write(READY);
      return ends === 'never' || socket.once('data', () => socket.end(FAREWELL));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    server,
    close,
    url: `postgres://127.0.0.1:${(server.address() as AddressInfo).port}/waybill?connect_timeout=60`,
  };
}
