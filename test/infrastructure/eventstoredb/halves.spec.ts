import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import type { AppendItem } from '../../../src/application/kernel/event-store.port.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { ContentKeys } from '../../../src/infrastructure/eventstoredb/log/halves/content-keys.js';
import { halvesBy } from '../../../src/infrastructure/eventstoredb/log/halves/encrypted-halves.js';
import { decrypted, encrypted } from '../../../src/infrastructure/eventstoredb/log/halves/encryption.js';
import { MasterKeys } from '../../../src/infrastructure/eventstoredb/log/halves/master-keys.js';
import { EventStoreDbLeaves } from '../../../src/infrastructure/eventstoredb/log/eventstoredb-leaves.js';
import { TransactionLog } from '../../../src/infrastructure/eventstoredb/log/transaction-log.js';
import { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';
import { type LogFixture, openLog } from '../../support/eventstoredb/open-log.js';
import { enqueue, item, succeeded } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const MARK = 'quetzal';
const newKey = (): string => randomBytes(32).toString('base64');

describe('a private half in EventStoreDB', () => {
  let database: PostgresFixture;
  let server: EventStoreDbFixture;
  const opened: LogFixture[] = [];
  const [first, second] = [newKey(), newKey()];

  beforeAll(async () => {
    database = await openPostgresStore();
    server = await EventStoreDbFixture.start();
  });
  afterAll(async () => {
    for (const { close } of opened) await close();
    await server.stop();
    await database.close();
  });

  const halvesWith = (...keys: readonly string[]) => halvesBy(database.pool, MasterKeys.in(keys.join('\n')));

  async function logWith(prefix: string, ...keys: readonly string[]) {
    const fixture = await openLog({ on: server, prefix, ...(keys.length > 0 && { halves: halvesWith(...keys) }) });
    opened.push(fixture);
    return fixture.log;
  }

  const aPrefix = (): string => `p${randomUUID().replaceAll('-', '')}.`;
  const life = (task: string): readonly [AppendItem, AppendItem] => [
    enqueue('mail', { payload: { to: MARK }, labels: { customer: MARK } }, undefined, task),
    item(taskStream(task), 0, [succeeded('mail', '1', { result: MARK })]),
  ];
  const stored = (): string =>
    server.log.ordinary
      .flatMap(({ data, metadata }) => [data, metadata])
      .map((bytes) => Buffer.from(bytes).toString())
      .join();
  const dataOf = (events: readonly { readonly event: { readonly data: object } }[]) =>
    events.map(({ event }) => event.data);

  it('is read as it was given, by streams, positions, pages, slices and subscriptions, and never stored as a text', async () => {
    const [task, prefix] = [randomUUID(), aPrefix()];
    const log = await logWith(prefix, first);
    const given = life(task);
    for (const one of given) await log.append([one]);
    const whole = given.flatMap(({ events }) => dataOf(events));
    const read = await log.readAll(0n, 10);
    expect(dataOf(read)).toEqual(whole);
    expect(dataOf((await log.readStreams([taskStream(task)]))[0]!)).toEqual(whole);
    expect(dataOf([await log.readAt(read[0]!.position)])).toEqual([whole[0]]);
    const slices = [{}, { stream: taskStream(task) }].map((filter) =>
      log.scan({ after: 0n, upTo: read[1]!.position }, 10, filter),
    );
    for (const { events } of await Promise.all(slices)) expect(dataOf(events)).toEqual(whole);
    const over = new AbortController();
    const followed: object[] = [];
    for await (const page of log.subscribe(0n, { signal: over.signal })) {
      followed.push(...dataOf(page));
      if (followed.length === whole.length) over.abort();
    }
    expect(followed).toEqual(whole);
    expect(stored()).not.toContain(MARK);
  });

  it('is read as it was given within a committed transaction, which has it as no text', async () => {
    const log = await logWith(aPrefix(), first);
    const [transactions, id] = [new TransactionLog(log), randomUUID()];
    const items = [life(randomUUID())[0], life(randomUUID())[0]];
    await transactions.commit({ id, items, recordedAt: '2026-11-28T10:00:00.000Z' });
    const found = await transactions.find(id);
    expect(found!.items.flatMap(({ events }) => dataOf(events))).toEqual(items.flatMap(({ events }) => dataOf(events)));
    expect(stored()).not.toContain(MARK);
  });

  it('has a commitment in the leaf, which is that of the half and the same without its key', async () => {
    const [task, prefix] = [randomUUID(), aPrefix()];
    const log = await logWith(prefix, first);
    const leaves = new EventStoreDbLeaves(log, halvesWith(first));
    for (const one of life(task)) await log.append([one]);
    const before = await leaves.sourcesAfter(0n);
    expect(before.map(({ halves }) => halves[0]?.line.includes(MARK))).toEqual([true, true]);
    expect((await leaves.checked(0n, 2)).map(({ notes }) => notes.missing)).toEqual([[], []]);
    await database.pool.query('update content_keys set key = null where stream = $1', [task]);
    const after = await leaves.sourcesAfter(0n);
    expect(after.map(({ leaf, text }) => ({ leaf, text }))).toEqual(before.map(({ leaf, text }) => ({ leaf, text })));
    expect((await leaves.checked(0n, 2)).map(({ notes }) => notes.missing)).toEqual(
      before.map(({ leaf: { position } }) => [{ position, stream: task }]),
    );
    expect(dataOf((await log.readStreams([taskStream(task)]))[0]!)).toEqual([
      { queue: 'mail', kind: 'task' },
      expect.not.objectContaining({ result: MARK }),
    ]);
  });

  it('that comes after the key was destroyed is not stored, and makes no new key', async () => {
    const [task, prefix] = [randomUUID(), aPrefix()];
    const log = await logWith(prefix, first);
    const [begin, end] = life(task);
    await log.append([begin]);
    await database.pool.query('update content_keys set key = null where stream = $1', [task]);
    await log.append([end]);
    const { rows } = await database.pool.query('select key from content_keys where stream = $1', [task]);
    expect(rows).toEqual([{ key: null }]);
    expect(JSON.stringify(dataOf(await log.readAll(0n, 10)))).not.toContain(MARK);
    expect(stored()).not.toContain(MARK);
  });

  it('is not read without its key, with another one, or in a program that has no keys', async () => {
    const [task, prefix] = [randomUUID(), aPrefix()];
    const log = await logWith(prefix, first);
    await log.append([life(task)[0]]);
    await expect((await logWith(prefix)).readAll(0n, 10)).rejects.toThrow('WAYBILL_SUBJECT_KEY_FILE');
    await expect((await logWith(prefix, second)).readAll(0n, 10)).rejects.toThrow('to be encrypted with a key of');
    const other = MasterKeys.in(first).wrap(randomBytes(32), task);
    await database.pool.query('update content_keys set key = $2 where stream = $1', [task, other.key]);
    await expect(log.readAll(0n, 10)).rejects.toThrow('has another');
    await database.pool.query('delete from content_keys where stream = $1', [task]);
    await expect(log.readAll(0n, 10)).rejects.toThrow('has none: restore it from a backup');
  });

  it('is read with an older master key after a newer one, with which new tasks are encrypted', async () => {
    const [tasks, prefix] = [[randomUUID(), randomUUID()] as const, aPrefix()];
    await (await logWith(prefix, first)).append([life(tasks[0])[0]]);
    const log = await logWith(prefix, second, first);
    await log.append([life(tasks[1])[0]]);
    expect(await log.readAll(0n, 10)).toHaveLength(2);
    const { rows } = await database.pool.query('select master from content_keys where stream = any ($1)', [tasks]);
    expect(new Set(rows.map(({ master }) => master as string)).size).toBe(2);
  });

  it('has one key, however many processes make it at once', async () => {
    const streams = Array.from({ length: 20 }, () => randomUUID());
    const masters = MasterKeys.in(first);
    const made = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const keys = new ContentKeys(database.pool, masters);
        return Promise.all(streams.map((stream) => keys.ofOrNew({ stream, isNew: true })));
      }),
    );
    for (const one of made) expect(one).toEqual(made[0]);
  });
});

describe('an encrypted text', () => {
  const key = randomBytes(32);
  const text = encrypted(key, Buffer.from(MARK), 'this');

  it('is decrypted with its key for what it belongs to, and by nothing else', () => {
    expect(decrypted(key, text, 'this')?.toString()).toBe(MARK);
    expect([decrypted(randomBytes(32), text, 'this'), decrypted(key, text, 'that')]).toEqual([null, null]);
    const changed = Array.from(text, (byte, at) => Buffer.from(text).fill(byte ^ 1, at, at + 1));
    expect(changed.filter((one) => decrypted(key, one, 'this') !== null)).toEqual([]);
    expect(decrypted(key, text.subarray(0, 20), 'this')).toBeNull();
  });
});
