import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};

const READY = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);

export const TERMINATED = 'terminating connection due to administrator command';

/** What a server that is stopped says to each connection before it closes it. */
export const FAREWELL = message('E', Buffer.from(`SFATAL\0C57P01\0M${TERMINATED}\0\0`));

export interface StoppingPostgres {
  readonly server: Server;
  readonly url: string;
}

/** A Postgres that lets everyone in and breaks the connection off: at once, or instead of an answer to what comes next. */
export async function stoppingPostgres(breaksOff: 'at once' | 'when spoken to'): Promise<StoppingPostgres> {
  const server = createServer((socket) => {
    // Whoever learns of the end may close first.
    socket.on('error', () => undefined);
    socket.once('data', () => {
      if (breaksOff === 'at once') return socket.end(Buffer.concat([READY, FAREWELL]));
      socket.write(READY);
      return socket.once('data', () => socket.end(FAREWELL));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `postgres://127.0.0.1:${(server.address() as AddressInfo).port}/waybill` };
}
