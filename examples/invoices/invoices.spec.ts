import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../test/support/until.js';
import { type RunningService, startService } from '../../test/support/running-service.js';
import { problemsWith } from './check-invoice.js';
import { type Invoice, totalsOf } from './invoice.js';
import { entriesIn, Ledger } from './ledger.js';
import { ITEMS, JOBS, play, type Played } from './play.js';
import { readInvoice } from './read-ubl.js';
import { isDone, summary } from './summary.js';
import { ublOf } from './write-ubl.js';

const PLAIN = Object.fromEntries(
  ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'].map((name) => [name, (text: string) => text]),
) as unknown as Parameters<typeof summary>[1];

const LINES = [
  { item: 'paper <A4> & more', quantity: 3, price: 333, amount: 999, taxPercent: 19 },
  { item: 'coffee', quantity: 2, price: 505, amount: 1_010, taxPercent: 7 },
];

const RIGHT: Invoice = {
  number: '2026-1',
  issued: '2026-11-24',
  currency: 'EUR',
  supplier: { name: 'Cables "Norte" S.L.', taxNumber: 'ESB58378431' },
  customer: 'Waybill Examples Ltd',
  lines: LINES,
  totals: totalsOf(LINES),
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-invoices-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('an invoice', () => {
  it('is read as it was written, with tax rounded per rate', () => {
    expect(readInvoice(ublOf(RIGHT))).toEqual(RIGHT);
    expect(RIGHT.totals).toEqual({ lines: 2_009, tax: 190 + 71, withTax: 2_270, payable: 2_270 });
    expect(problemsWith(RIGHT)).toEqual([]);
  });

  it('is read whatever prefixes its namespaces have', () => {
    const renamed = ublOf(RIGHT).replaceAll('cbc:', 'x:').replaceAll(':cbc=', ':x=');
    expect(readInvoice(renamed)).toEqual(RIGHT);
  });

  it.each<[string, Partial<Invoice>, string]>([
    [
      'no tax number',
      { supplier: { name: 'Ann', taxNumber: null } },
      'Expected a tax number of Ann, but there is none',
    ],
    ['a tax number without a country', { supplier: { name: 'Ann', taxNumber: '123' } }, "but it is '123' (BR-CO-09)"],
    [
      'totals that do not add up',
      { totals: { ...RIGHT.totals, payable: 1 } },
      'to add up to 22.70, but the invoice says 0.01',
    ],
    ['a line that does not', { lines: [{ ...LINES[0]!, amount: 998 }] }, 'Expected 9.99 for 3 × paper <A4> & more'],
    ['no lines', { lines: [], totals: totalsOf([]) }, 'Expected a line, but there is none'],
  ])('is wrong with %s', (_, changes, problem) => {
    const problems = problemsWith(readInvoice(ublOf({ ...RIGHT, ...changes })));
    expect(problems.join('\n')).toContain(problem);
  });

  it.each<[string, string, string]>([
    ['a file that was cut off', ublOf(RIGHT).slice(0, 900), 'to be XML'],
    ['another document', '<Order/>', "to be an invoice, but it is a 'Order'"],
    ['an amount that is no number', ublOf(RIGHT).replaceAll('22.70', 'much'), "but it is 'much'"],
    ['no totals', ublOf(RIGHT).replaceAll('LegalMonetaryTotal', 'Other'), "to have 'LegalMonetaryTotal'"],
  ])('is not read from %s', (_, xml, problem) => {
    expect(() => readInvoice(xml)).toThrow(problem);
  });
});

describe('the ledger', () => {
  it('has each task once, and goes on behind a line that a crash cut off', async () => {
    const path = join(folder, 'ledger.jsonl');
    const entry = { task: 't1', invoice: '1', supplier: 'Ann', payable: 100 };
    const before = await Ledger.open(path);
    const both = await Promise.all([before.post(entry), before.post(entry)]);
    expect(both).toEqual(['posted', 'already posted']);
    await before.close();
    await appendFile(path, '{"task":"t2","invo');
    const after = await Ledger.open(path);
    expect(await after.post(entry)).toBe('already posted');
    expect(await after.post({ ...entry, task: 't2' })).toBe('posted');
    await after.close();
    expect(entriesIn(await readFile(path, 'utf8')).map(({ task }) => task)).toEqual(['t1', 't2']);
  });
});

describe('example:invoices', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const run = (): Promise<Played> =>
    play(service.waybill, { folder, count: 40, seed: 7 }, { signal: new AbortController().signal, onNote: () => {} });

  it('books what is right, and leaves each failure where it belongs', async () => {
    const played = await run();
    expect(isDone(played)).toBe(true);
    const { made, items, refused, repaired, jobs, byJob, ledger } = played;
    const faulty = (fault: string) => made.filter((invoice) => invoice.fault === fault).length;
    const failed = items.filter(({ state }) => state === 'failed');
    expect(failed.map(({ error }) => error!.class)).toEqual(Array(4).fill('business'));
    expect([faulty('totals') + faulty('tax number'), refused.length, repaired]).toEqual([4, 2, 2]);
    expect(ledger).toHaveLength(40 - 4 - 2);
    expect(new Set(ledger.map(({ task }) => task)).size).toBe(ledger.length);
    expect(jobs).toBeGreaterThan(0);
    expect(byJob).toBeGreaterThan(0);
    const away = items.filter(({ labels, state }) => labels.fault === 'away' && state === 'succeeded');
    expect(away.some(({ attempt }) => attempt > 1)).toBe(true);
    const { counts, failuresByClass } = await until('the statistics to catch up', async () => {
      const stats = await service.waybill.queue(ITEMS).stats();
      return stats.counts.succeeded === 34 && stats.counts.failed === 4 ? stats : null;
    });
    expect(counts).toMatchObject({ succeeded: 34, failed: 4, pending: 0, running: 0 });
    expect(failuresByClass).toMatchObject({ business: 4 });
    await until('the jobs to have succeeded', async () => {
      const { counts: ofJobs } = await service.waybill.queue(JOBS).stats();
      return (ofJobs.succeeded ?? 0) >= jobs ? true : null;
    });
    const text = summary(played, PLAIN);
    expect(text).toContain('Booked  34 invoices');
    expect(text).toContain('Not booked  4 invoices. Ask the senders for others:');

    const holder = await service.waybill.task(refused[0]!.holder).get();
    expect(holder.reference).toBe(refused[0]!.reference);
    const again = await run();
    expect(again.ledger).toEqual(ledger);
    expect(again.items.map(({ id, attempt }) => [id, attempt])).toEqual(items.map(({ id, attempt }) => [id, attempt]));
  });
});
