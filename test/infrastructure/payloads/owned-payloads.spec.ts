import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtemp, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { digestOf, type PayloadPlace } from '../../../src/application/kernel/payload-store.port.js';
import { FolderPayloads } from '../../../src/infrastructure/payloads/folder-payloads.js';
import { OwnedPayloads } from '../../../src/infrastructure/payloads/owned-payloads.js';
import { defineQueue } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const TEXT = 'large';
const LATER = '9999-12-31';

let db: PostgresFixture;
let path: string;
let folder: FolderPayloads;
beforeEach(async () => {
  db = await openPostgresStore();
  path = await mkdtemp(join(tmpdir(), 'waybill-payloads-'));
  folder = new FolderPayloads(path);
});
afterEach(() => db.close());

/** As a process that was just started has it. */
const opened = (): OwnedPayloads => new OwnedPayloads(folder, db.pool, db.store);

const place = (): PayloadPlace => ({ task: uuidv7(), sha256: digestOf(TEXT), day: '2026-11-28' });

/** Begins the log. Returns the id of its first event. */
async function begun(): Promise<string> {
  await db.store.append([defineQueue('scans')]);
  return (await db.store.readAll(0n, 1))[0]!.id;
}

const unavailable = (because: string) => ({
  name: 'PayloadStoreUnavailable',
  message: expect.stringContaining(because),
});

it('marks the store before the first payload is stored there', async () => {
  const log = await begun();
  const stored = place();

  await opened().put(stored, TEXT);

  expect([await folder.owner(), await folder.list(null, LATER, 9)]).toEqual([log, [stored]]);
});

it('does not mark again a store that has lost its mark, and neither stores, deletes nor lists there', async () => {
  const log = await begun();
  const stored = place();
  await opened().put(stored, TEXT);
  await rename(join(path, 'log'), join(path, 'hidden'));
  const store = opened();

  const because = unavailable(`the store should have 'log' with the mark '${log}', but there is none`);
  await expect(store.put(place(), TEXT)).rejects.toMatchObject(because);
  await expect(store.delete(stored)).rejects.toMatchObject(because);
  await expect(store.list(null, LATER, 9)).rejects.toMatchObject(because);
  expect([await store.fault(), await folder.owner()]).toEqual([expect.stringContaining('there is none'), null]);

  await rename(join(path, 'hidden'), join(path, 'log'));
  expect([await store.fault(), await store.list(null, LATER, 9)]).toEqual([null, [stored]]);
});

it('leaves the store of another log alone', async () => {
  await begun();
  await folder.mark('another');
  const store = opened();

  const because = unavailable("it has that of the log that begins with 'another'");
  await expect(store.put(place(), TEXT)).rejects.toMatchObject(because);
  await expect(store.list(null, LATER, 9)).rejects.toMatchObject(because);
  expect(await folder.owner()).toBe('another');
});

it('has nothing to list while the log is empty, and looks again', async () => {
  const store = opened();
  const whenEmpty = [await store.list(null, LATER, 9), await folder.owner()];

  const log = await begun();

  expect(whenEmpty).toEqual([[], null]);
  expect([await store.list(null, LATER, 9), await folder.owner()]).toEqual([[], log]);
});
