import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { digestOf, type PayloadPlace, type PayloadStore } from '../../../src/application/kernel/payload-store.port.js';
import { FolderPayloads } from '../../../src/infrastructure/payloads/folder-payloads.js';
import { pathOf } from '../../../src/infrastructure/payloads/payload-path.js';
import { PayloadsInMemory } from '../../../src/testing/payloads-in-memory.js';
import { type S3Server, startS3 } from '../../support/s3-server.js';

const TEXT = JSON.stringify({ of: 'Zoë', text: 'quetzal '.repeat(10) });
const BYTES = Buffer.byteLength(TEXT);
const TASK = uuidv7();

const place = (more: Partial<PayloadPlace> = {}): PayloadPlace => ({
  task: TASK,
  sha256: digestOf(TEXT),
  day: '2026-11-28',
  ...more,
});

let folder: string;
let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.stop());

async function inFolder(): Promise<PayloadStore> {
  folder = await mkdtemp(join(tmpdir(), 'waybill-payloads-'));
  return new FolderPayloads(folder);
}

/** The name of the exception of a store that does not answer. */
const UNAVAILABLE = { name: 'PayloadStoreUnavailable' };

/** What every store promises. */
describe.each([
  ['a folder', inFolder],
  ['a bucket', async () => s3.payloads()],
  ['a test', async () => new PayloadsInMemory()],
])('payloads in %s', (_, open) => {
  let store: PayloadStore;
  beforeEach(async () => {
    store = await open();
    await store.mark('one');
  });

  it('gives back the text that was stored, and stores the same again', async () => {
    await store.put(place(), TEXT);
    await store.put(place(), TEXT);

    expect((await store.get(place(), BYTES))?.toString()).toBe(TEXT);
  });

  it('has nothing where nothing was stored', async () => {
    await store.put(place(), TEXT);

    for (const other of [place({ task: uuidv7() }), place({ day: '2026-11-27' }), place({ sha256: digestOf('other') })])
      expect(await store.get(other, BYTES)).toBeNull();
  });

  it('gives no more of a text than was asked for, and one byte', async () => {
    await store.put(place(), TEXT);

    expect(await store.get(place(), 9)).toHaveLength(10);
  });

  it('deletes one payload and no other, and what is not there', async () => {
    const other = place({ sha256: digestOf('other') });
    await store.put(place(), TEXT);
    await store.put(other, 'other');

    await store.delete(place());
    await store.delete(place());

    expect(await store.get(place(), BYTES)).toBeNull();
    expect((await store.get(other, 5))?.toString()).toBe('other');
  });

  it('lists places of days before a day, in order, page by page', async () => {
    const days = ['2026-11-26', '2026-11-27', '2026-11-28'];
    const tasks = [uuidv7(), uuidv7()];
    const all = days.flatMap((day) => tasks.map((task) => place({ day, task })));
    for (const one of all.toReversed()) await store.put(one, TEXT);

    const first = await store.list(null, '2026-11-28', 3);
    const second = await store.list(first.at(-1)!, '2026-11-28', 3);

    expect([first, second]).toEqual([all.slice(0, 3), all.slice(3, 4)]);
    expect(await store.list(second.at(-1)!, '2026-11-28', 3)).toEqual([]);
  });

  it('keep the mark of the log that gave the first one', async () => {
    await store.mark('other');

    expect(await store.owner()).toBe('one');
    expect(await store.list(null, '9999-12-31', 9)).toEqual([]);
  });

  it('are not taken for gone where there is no mark', async () => {
    const elsewhere = await open();

    await expect(elsewhere.get(place(), BYTES)).rejects.toMatchObject(UNAVAILABLE);
    expect(await elsewhere.owner()).toBeNull();
  });

  it('has no fault while it can be reached', async () => {
    expect(await store.fault()).toBeNull();
  });
});

describe('payloads in a folder', () => {
  it('are neither stored nor deleted in an empty folder in its place, as a disk leaves that goes away', async () => {
    const store = await inFolder();
    await store.mark('one');
    await store.put(place(), TEXT);
    await rename(folder, `${folder}-away`);
    await mkdir(folder);

    await expect(store.put(place(), TEXT)).rejects.toMatchObject(UNAVAILABLE);
    await expect(store.delete(place())).rejects.toMatchObject(UNAVAILABLE);

    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
    await rename(`${folder}-away`, folder);
    expect((await store.get(place(), BYTES))?.toString()).toBe(TEXT);
  });

  it('deletes what a write left that was interrupted, with the folders', async () => {
    const store = await inFolder();
    await store.mark('one');
    await store.put(place(), TEXT);
    await writeFile(join(folder, `${pathOf(place())}.${uuidv7()}`), TEXT.slice(0, 9));

    const left = await store.list(null, '9999-12-31', 9);
    await store.delete(place());

    expect(left).toEqual([place()]);
    expect(await readdir(folder)).toEqual(['log']);
  });

  it('says so if the folder is not there, and makes none', async () => {
    const store = await inFolder();
    await rm(folder, { recursive: true });

    const unavailable = { name: 'PayloadStoreUnavailable', message: expect.stringContaining(folder) };
    await expect(store.put(place(), TEXT)).rejects.toMatchObject(unavailable);
    await expect(store.get(place(), BYTES)).rejects.toMatchObject(unavailable);
    expect(await store.fault()).toContain(folder);
  });
});

describe('payloads in a bucket', () => {
  const unavailable = (because: string) => ({
    name: 'PayloadStoreUnavailable',
    message: expect.stringContaining(because),
  });

  it.each([
    ['its key is unknown', { accessKeyId: 'nobody' }, 'it answered 403'],
    ['its secret is wrong', { secretAccessKey: 'wrong' }, 'it answered 403'],
    ['the bucket is not there', { bucket: 'missing' }, 'it answered 404'],
    ['nobody listens', { endpoint: 'http://127.0.0.1:65535' }, 'ECONNREFUSED'],
  ])('does not take it for a payload that is gone if %s', async (_, more, because) => {
    const store = s3.payloads(more);

    await expect(store.put(place(), TEXT)).rejects.toMatchObject(unavailable(because));
    await expect(store.get(place(), BYTES)).rejects.toMatchObject(unavailable(because));
    expect(await store.fault()).toContain(because);
  });

  it('gives up on a server that fails, after some calls', async () => {
    let calls = 0;
    const server = createServer((socket) => {
      socket.once('data', () => {
        calls++;
        socket.end('HTTP/1.1 500 Oops\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };

    const fault = await s3.payloads({ endpoint: `http://127.0.0.1:${port}` }).fault();

    server.close();
    expect([fault, calls]).toEqual([expect.stringContaining('it answered 500'), 3]);
  });
});
