import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TaskDetails, Waybill } from '@waybill/client';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { verifyCertificate } from '../../src/maintenance/verify-certificate.js';
import { refusalOf } from '../acceptance/refusal.js';
import { violationsOf } from '../support/history-checker.js';
import { loseWorkers } from '../support/leases.js';
import { until } from '../support/until.js';
import { type Crash, lastWords } from './crash-points.js';
import { freePort } from './ports.js';
import { Run } from './run.js';

const ERASURES = 'waybill.erasures';
/** More than two appends record. */
const TASKS = 120;

/** Where a steward dies: the event is recorded and the halves are there, and they are gone. */
const KILLS: readonly Crash[] = [
  { point: 'before-halves', passage: 1 },
  { point: 'after-halves', passage: 1 },
  { point: 'before-halves', passage: 3 },
  { point: 'after-halves', passage: 3 },
];

describe('kill -9 of the steward in an erasure', () => {
  let run: Run;
  let waybill: Waybill;
  let keys: string;
  beforeAll(async () => {
    run = await Run.open(undefined, true);
    keys = await mkdtemp(join(tmpdir(), 'waybill-kills-'));
    await run.service({ env: { WAYBILL_ROLES: 'api,projector,sweeper', WAYBILL_NOTARY_DIR: keys } }).ready();
    waybill = run.client();
    await waybill.queue('items').define({});
    await task();
    // The order of an erasure defines its queue, and the steward looks for it when it starts.
    await ended((await order('nobody-else', 1)).id);
  });
  afterAll(async () => {
    await run.close();
    await rm(keys, { recursive: true });
  });

  async function task(): Promise<void> {
    await waybill.queue('items').enqueueMany([{ id: uuidv7(), payload: 1, labels: { customer: 'nobody-else' } }]);
  }

  async function order(customer: string, tasks: number): Promise<{ readonly id: string }> {
    const subject = { label: { name: 'customer', value: customer } };
    const found = await waybill.erase(subject, 'Art. 17', { abortOpen: true });
    expect(found.tasks).toBe(tasks);
    return { id: found.id! };
  }

  /** The tables with the mark in a row as text, as a dump has it. */
  async function withMark(mark: string): Promise<readonly string[]> {
    const { rows } = await run.pool.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const { rowCount } = await run.pool.query(`select from ${name} t where t::text like '%' || $1 || '%'`, [mark]);
      if (rowCount !== 0) found.push(name);
    }
    return found;
  }

  const steward = async (crash?: Crash) =>
    run.service({ port: await freePort(), env: { WAYBILL_ROLES: 'steward' }, ...(crash && { crash }) });

  async function ended(id: string): Promise<TaskDetails> {
    const other = await steward();
    const found = await until('the erasure to end', async () => {
      const one = await waybill.task(id).get();
      return one.finishedAt === null ? null : one;
    });
    await other.kill();
    return found;
  }

  it.each(KILLS)('ends by another one, and leaves nothing, killed $point ($passage)', async (crash) => {
    const customer = `acme-${uuidv7()}`;
    const items = Array.from({ length: TASKS }, (_, n) => ({
      id: uuidv7(),
      payload: { customer, n },
      labels: { customer },
    }));
    await waybill.queue('items').enqueueMany(items);
    // Only their private halves say what they decided.
    await waybill.task(items[0]!.id).annotate({ customer });
    await waybill.task(items[0]!.id).amend({ customer, n: -1 });
    const { id } = await order(customer, TASKS);
    const killed = await steward(crash);
    expect([await killed.ended, killed.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(killed.lines).toContain(lastWords(crash));
    expect((await refusalOf(waybill.erasureCertificate(id))).code).toBe('ERASURE_NOT_DONE');
    await loseWorkers(run.pool, ERASURES);
    const result = { erased: TASKS, halves: TASKS + 2, outbox: 0, refused: {}, examples: [] };
    expect(await ended(id)).toMatchObject({ state: 'succeeded', result });
    const certificate = JSON.stringify(await waybill.erasureCertificate(id));
    const key = readFileSync(join(keys, 'key.pub'), 'utf8').trim();
    expect(verifyCertificate(certificate, key)).toMatchObject({ result: { erased: TASKS } });
    await run.settled();
    const history = await run.history();
    const erased = history.events.filter(({ event }) => event.type === 'TaskErased');
    expect(new Set(erased.map(({ stream }) => stream)).size).toBe(erased.length);
    expect(await withMark(customer)).toEqual([]);
    // By an auditor, who reads what the store has with the keys that are left.
    expect(JSON.stringify(history.events.map(({ event }) => event))).not.toContain(customer);
    expect(violationsOf(history)).toEqual([]);
  });
});
