import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { PostgresPool } from '../../../src/infrastructure/persistence/postgres-pool.js';

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};

const READY = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
const TERMINATED = 'terminating connection due to administrator command';
const FAREWELL = message('E', Buffer.from(`SFATAL\0C57P01\0M${TERMINATED}\0\0`));

/** A Postgres that lets everyone in and, as one that is being stopped, answers whatever comes next with its own end. */
const stoppingPostgres = (): Server =>
  createServer((socket) => {
    socket.once('data', () => {
      socket.write(READY);
      socket.once('data', () => socket.end(FAREWELL));
    });
  }).listen(0, '127.0.0.1');

describe('PostgresPool', () => {
  let server: Server;
  beforeEach(async () => {
    server = stoppingPostgres();
    await once(server, 'listening');
  });
  afterEach(() => server.close());

  /** A pool with one idle connection, the server's end of that, and what the pool tells of lost ones. */
  async function idlePool() {
    const lost: string[] = [];
    const { port } = server.address() as AddressInfo;
    const url = `postgres://someone@127.0.0.1:${port}/any`;
    const pool = new PostgresPool({ url, size: 1, onConnectionLost: (error) => lost.push(error.message) });
    const [[socket], { client, release }] = await Promise.all([once(server, 'connection'), pool.connect()]);
    release();
    const closed = new Promise<void>((resolve) => client.once('end', resolve));
    return { pool, lost, socket: socket as Socket, closed };
  }

  it('tells of a connection that was lost while idle', async () => {
    const { pool, lost, socket, closed } = await idlePool();
    socket.end(FAREWELL);
    await closed;
    expect(lost).toEqual([TERMINATED]);
    await pool.end();
  });

  it('does not call a connection lost that a stopping server breaks off after the pool has ended', async () => {
    const { pool, lost, closed } = await idlePool();
    await pool.end();
    await closed;
    expect(lost).toEqual([]);
  });
});
