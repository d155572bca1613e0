import { afterEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SharedServerLock } from '../../src/infrastructure/embedded-postgres/shared-server-lock.js';

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

const authentication = (kind: number, rest = ''): Buffer => {
  const head = Buffer.alloc(4);
  head.writeInt32BE(kind);
  return message('R', Buffer.concat([head, Buffer.from(rest)]));
};

/** As Postgres writes them. */
const passwordRequest = authentication(10, 'SCRAM-SHA-256\0\0');
const loggedIn = Buffer.concat([authentication(0), message('Z', Buffer.from('I'))]);
const shuttingDown = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));
const tooMany = message('E', Buffer.from('SFATAL\0C53300\0Mtoo many clients already\0\0'));

/** The URL of a server that says this to whoever connects, and ends the connection. */
async function serverThatEnds(said: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-lock-'));
  const server = createServer((socket) => {
    socket.once('data', () => socket.write(said, () => socket.destroy()));
  }).listen(join(folder, '.s.PGSQL.5432'));
  await once(server, 'listening');
  ending.push(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  return `postgres://ann:secret@localhost/db?host=${encodeURIComponent(folder)}`;
}

const ending: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(ending.splice(0).map((end) => end())));

it.each([
  ['while somebody connects', passwordRequest],
  ['when somebody has connected', Buffer.concat([loggedIn, shuttingDown])],
  ['without a word when somebody has connected', loggedIn],
])('is not taken of a server that ends %s, as of one that does not run', async (_when, said) => {
  expect(await SharedServerLock.take(await serverThatEnds(said))).toBeUndefined();
});

it('is refused by a server that has no connection left, in its own words', async () => {
  await expect(SharedServerLock.take(await serverThatEnds(tooMany))).rejects.toThrow('too many clients already');
});
