import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Waybill } from '@waybill/client';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { MasterKeys } from '../../../src/infrastructure/eventstoredb/log/halves/master-keys.js';
import { halvesBy } from '../../../src/infrastructure/eventstoredb/log/halves/encrypted-halves.js';
import { rebuildFromLog } from '../../../src/maintenance/rebuild-from-log.js';
import { rewrapSubjectKeys } from '../../../src/maintenance/rewrap-keys.js';
import { erased } from '../../support/erased.js';
import { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';
import { openLog } from '../../support/eventstoredb/open-log.js';
import type { StoredEvent } from '../../support/eventstoredb/stored-stream.js';
import { configFor, type RunningService, startService } from '../../support/running-service.js';
import { environmentOf, subjectKeyFile } from '../../support/subject-keys.js';
import { refusalOf } from '../refusal.js';

/** In everything that the subject's tasks are about, and in nothing else. */
const MARK = 'quetzal';
const SUBJECT = { label: { name: 'customer', value: MARK } };

const about = (to: string) => ({
  payload: { to },
  key: to,
  reference: to,
  description: `letter to ${to}`,
  labels: { customer: to },
  data: { seen: to },
});

const textOf = (events: readonly StoredEvent[]): string =>
  events
    .flatMap(({ data, metadata }) => [data, metadata])
    .map((bytes) => Buffer.from(bytes).toString())
    .join('\n');

describe('with the events in EventStoreDB and their private halves encrypted, a subject', () => {
  let server: EventStoreDbFixture;
  let service: RunningService;
  /** Of another process on the same stores. */
  let other: Waybill;
  let file: string;
  let tasks: readonly string[];
  /** As a backup of the store has it. */
  let copy: readonly StoredEvent[];
  let keysBefore: readonly object[];

  beforeAll(async () => {
    server = await EventStoreDbFixture.start();
    file = subjectKeyFile();
    service = await startService({ eventStoreUrl: server.url, subjectKeyFile: file });
    other = await service.addInstance();
    tasks = await lives();
    copy = [...server.log.all];
    keysBefore = await keyRows();
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  const keyRows = async () => (await service.pool.query('select * from content_keys')).rows as readonly object[];

  /** One of a transaction, one that failed and stays so, and one that succeeded. */
  async function lives(): Promise<readonly string[]> {
    const mail = service.waybill.queue('mail');
    await mail.define({ onFailure: 'fail', search: ['to'] });
    const { key: _, reference, payload, ...plain } = about(MARK);
    const { results } = await service.waybill.transaction((tx) => {
      tx.queue('mail').enqueue(payload, { ...plain, reference });
      tx.queue('mail').enqueue({ to: 'ann' });
    });
    const { labels, description } = plain;
    const reportTo = { mail: { to: [`${MARK}@example.org`] } };
    await (await service.waybill.createBatch({ name: MARK, description, labels, reportTo })).abort();
    const failing = await mail.enqueue(payload, { labels: plain.labels, data: plain.data });
    const ids = [results[0]!.id!, failing.id];
    const claimed = await mail.claim({ worker: 'w', max: 10 });
    const error = { message: `no such ${MARK}`, class: 'business' } as const;
    await service.waybill.settle(
      claimed.map(({ taskId, token }) => {
        const result = taskId === ids[0] ? MARK : 'sent';
        return {
          taskId,
          token,
          verdict: taskId === failing.id ? { type: 'fail', error } : { type: 'succeed', result },
        };
      }),
    );
    return ids;
  }

  /** What a process with these keys reads of the tasks in a copy of the store. */
  async function readCopy(): Promise<string> {
    const at = await EventStoreDbFixture.start();
    at.log.all.splice(0, at.log.all.length, ...copy);
    const halves = halvesBy(service.pool, MasterKeys.in(readFileSync(file, 'utf8')));
    const { log, close } = await openLog({ on: at, prefix: configFor(service.databaseUrl).eventStorePrefix, halves });
    try {
      return JSON.stringify(await log.readAll(0n, 1_000), withoutBigInts);
    } finally {
      await close();
      await at.stop();
    }
  }

  const withoutBigInts = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

  async function answers(waybill: Waybill): Promise<string> {
    const found: unknown[] = [];
    for (const id of tasks) found.push(await waybill.task(id).get(), await waybill.task(id).history());
    for await (const batch of waybill.batches()) found.push(batch);
    for await (const event of waybill.events({ follow: false })) found.push(event);
    for await (const group of waybill.failures.list()) found.push(group);
    return JSON.stringify(found);
  }

  it('H-54 is nowhere in the store as it is, and after its erasure no process reads it, from no copy of the store either', async () => {
    expect(copy.map(({ type }) => type)).toContain('TransactionCommitted');
    expect(textOf(copy)).not.toContain(MARK);
    for (const waybill of [service.waybill, other]) expect(await answers(waybill)).toContain(`no such ${MARK}`);
    expect(await readCopy()).toContain(MARK);

    expect(await erased(service.waybill, SUBJECT)).toMatchObject({ erased: 2, batches: 1, refused: {} });
    for (const waybill of [service.waybill, other]) {
      const said = await answers(waybill);
      expect(said).not.toContain(MARK);
      expect(said).toContain('TaskErased');
    }
    expect(await readCopy()).not.toContain(MARK);
    const { rows } = await service.pool.query('select task_id, key, reference, labels from tasks');
    expect(JSON.stringify(rows)).not.toContain(MARK);
  });

  it('H-55 gets new keys when it returns, and no path makes the old ones again', async () => {
    const { payload, ...choice } = about(MARK);
    const { id } = await service.waybill.queue('mail').enqueue(payload, choice);
    await service.waybill.task(id).abort();
    await service.waybill.task(tasks[1]!).delete();
    const config = Object.assign(configFor(service.databaseUrl), { eventStoreUrl: server.url, subjectKeyFile: file });
    const said: string[] = [];
    const tell = { log: () => undefined, onProgress: () => undefined, onBuilt: (line: string) => void said.push(line) };
    await service.restart();
    await rebuildFromLog({ config, names: ['index'], ...tell });
    const { rows } = await service.pool.query('select stream, key from content_keys where stream = any ($1)', [tasks]);
    expect(rows).toEqual(expect.arrayContaining(tasks.map((stream) => ({ stream, key: null }))));
    expect(JSON.stringify(await service.waybill.task(id).get())).toContain(MARK);
    for (const old of tasks) expect(JSON.stringify(await service.waybill.task(old).get())).not.toContain(MARK);
    expect(await readCopy()).not.toContain(MARK);
  });

  it('is still read with a copy of the keys from before, which is what a backup of them means', async () => {
    const columns = JSON.stringify(
      keysBefore.map((row) => ({ ...row, key: `\\x${(row as { key: Buffer }).key.toString('hex')}` })),
    );
    await service.pool.query(
      `update content_keys k set key = b.key, rests = null from jsonb_populate_recordset(null::content_keys, $1) b where k.stream = b.stream`,
      [columns],
    );
    expect(await readCopy()).toContain(MARK);
  });

  it('needs a new master key only once its keys are rewrapped', async () => {
    const [older, newer] = [readFileSync(file, 'utf8'), randomBytes(32).toString('base64')];
    const { databaseUrl } = service;
    const env = environmentOf({ databaseUrl, eventStoreUrl: server.url, subjectKeyFile: file });
    writeFileSync(file, `${newer}\n${older}`);
    await service.restart();
    expect(await rewrapSubjectKeys(env)).toEqual({ keys: expect.any(Number) });
    writeFileSync(file, newer);
    await service.restart();
    for (const id of tasks) expect((await service.waybill.task(id).history()).length).toBeGreaterThan(1);
    expect(await readCopy()).toContain(MARK);
    writeFileSync(file, older);
    expect(await rewrapSubjectKeys(env)).toEqual({ refused: expect.stringContaining('lacks 1 of them') });
  });
});

describe('with the events in EventStoreDB and without keys, a subject', () => {
  let server: EventStoreDbFixture;
  let service: RunningService;
  beforeAll(async () => {
    server = await EventStoreDbFixture.start();
    service = await startService({ eventStoreUrl: server.url });
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  it('H-54 cannot be erased, and the refusal says why', async () => {
    const { code, problem } = await refusalOf(service.waybill.erase(SUBJECT, 'Art. 17'));
    expect([code, problem]).toEqual([
      'ERASURE_NOT_POSSIBLE',
      expect.objectContaining({ detail: expect.stringContaining('WAYBILL_SUBJECT_KEY_FILE') }),
    ]);
    expect((await refusalOf(service.waybill.queue('mail').define({ expireDays: 30 }))).code).toBe(
      'ERASURE_NOT_POSSIBLE',
    );
  });
});
