import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Seat } from '../../src/infrastructure/embedded-postgres/seat.js';

/** The request for a password, by SCRAM-SHA-256, as Postgres writes it. */
function passwordRequest(): Buffer {
  const methods = Buffer.from('SCRAM-SHA-256\0\0');
  const head = Buffer.alloc(9, 'R');
  head.writeInt32BE(methods.length + 8, 1);
  head.writeInt32BE(10, 5);
  return Buffer.concat([head, methods]);
}

it('is not taken of a server that ends while somebody connects, as of one that does not run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-seat-'));
  const dying = createServer((socket) => {
    socket.once('data', () => socket.write(passwordRequest(), () => socket.destroy()));
  }).listen(join(folder, '.s.PGSQL.5432'));
  await once(dying, 'listening');

  expect(await Seat.take(`postgres://ann:secret@localhost/db?host=${encodeURIComponent(folder)}`)).toBeUndefined();

  dying.close();
  await rm(folder, { recursive: true });
});
