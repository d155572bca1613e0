import { describe, expect, it } from '@jest/globals';
import { bench, expectVerdicts, PATIENCE_MS, rate } from './bench.js';

describe('the benches', () => {
  it(
    'compare Waybill with the installed systems, and name the missing ones',
    async () => {
      const { leftOut, goals, counts, costs, kept, ...result } = await bench('peers', '--quick', '--tasks', '40');
      const rates = { waybill: rate, waybillCaughtUp: rate, waybillHttp: rate };
      expect(result).toMatchObject({ bulk: rates, drain: rates, single: rates, lifecycle: rates });
      expect(result).toMatchObject({ heldXmin: { waybill: rate }, claim: { waybill: { 2: rate, 40: rate } } });
      expect(result.latency.waybill).toEqual({ p50: rate, p99: rate });
      expect(costs.bulk.waybill).toEqual({ node: rate, server: expect.anything(), wal: rate });
      expect(counts.waybill).toMatchObject({ events: 3, rows: rate, statements: rate, walBytes: rate, diskMB: rate });
      expect(kept.Waybill).toContain('every event');
      const missing = leftOut.map(({ what }: { what: string }) => what);
      const peers = { pgboss: 'pg-boss', graphile: 'graphile-worker', bullmq: 'BullMQ, fsync always' };
      for (const [name, title] of Object.entries(peers)) expect(name in result.bulk).toBe(!missing.includes(title));
      expectVerdicts(goals, 14);
    },
    PATIENCE_MS,
  );

  it(
    'live over HTTP in small batches',
    async () => {
      const sizes = ['--tasks', '40', '--batches', '10', '--kinds', 'plain,labels', '--rounds', '1', '--idle', '1'];
      const { result, goals } = await bench('http', ...sizes);
      const phase = { rate, node: expect.anything(), server: expect.anything(), wal: rate };
      const rounds = [{ now: { enqueue: phase, drain: phase } }];
      expect(result.lives).toEqual(['plain', 'labels'].map((kind) => ({ kind, batch: 10, rounds })));
      expect(result.idle.now).toEqual({ shareOfCore: expect.any(Number), transactionsPerMinute: expect.any(Number) });
      const worker = [{ now: { rate, worker: rate, node: expect.anything(), server: expect.anything() } }];
      expect(result.workers).toEqual({ 'nothing to do': worker, '1 ms each': worker });
      expectVerdicts(goals, 9);
    },
    PATIENCE_MS,
  );

  it(
    'measure the task graph',
    async () => {
      const sizes = ['--dependants', '600', '--members', '1200', '--chain', '100', '--repeat', '1'];
      const { result, goals } = await bench('graph', ...sizes);
      expect(result).toMatchObject({ fanOut: { ready: rate, longest: rate }, fanIn: { ready: rate } });
      expect(result.batch).toMatchObject({ fill: rate, plainFill: rate, drain: rate, plainDrain: rate, ratio: rate });
      expect(result.chains).toEqual({ chain: rate, fan: rate, ratio: rate });
      expectVerdicts(goals, 6);
    },
    PATIENCE_MS,
  );

  it(
    'place holds, and claim beside them',
    async () => {
      const sizes = ['--waiting', '600', '--holds', '20', '--tasks', '600', '--repeat', '1'];
      const { result, goals } = await bench('holds', ...sizes);
      const claims = { without: rate, with: rate, ratio: rate, ratios: [rate] };
      expect(result).toEqual({ placing: { median: rate, longest: rate }, claims: { bulk: claims, single: claims } });
      expectVerdicts(goals, 3);
    },
    PATIENCE_MS,
  );

  it(
    'archive ended tasks while others are claimed',
    async () => {
      const { result, goals } = await bench('retention', '--ended', '3000', '--tasks', '300');
      const times = { median: rate, p99: rate, longest: rate };
      const use = { claims: times, lists: times };
      expect(result).toEqual({ empty: use, full: use, preview: rate, quiet: times, moving: { rate, claims: times } });
      expectVerdicts(goals, 4);
    },
    PATIENCE_MS,
  );

  it(
    'verify logs, seal one under load, and erase',
    async () => {
      const { result, goals } = await bench(
        'evidence',
        '--events',
        '3000',
        '--singles',
        '300',
        '--seconds',
        '9',
        '--erased',
        '50',
      );
      expect(result).toEqual({
        verify: { batches: rate, singles: rate },
        sealing: { lag: expect.any(Number), sealed: rate, unsealed: rate },
        erasing: { seconds: rate, claimP99: rate },
      });
      expectVerdicts(goals, 6);
    },
    PATIENCE_MS,
  );

  it(
    'look back at random moments of a log',
    async () => {
      const { result, goals } = await bench('history', '--events', '9000', '--open', '600', '--moments', '8');
      const times = { median: rate, longest: rate };
      const snapshots = {
        count: rate,
        bytes: rate,
        bytesPerEvent: rate,
        takeMs: rate,
        takeUs: rate,
        lifeUs: rate,
        share: rate,
      };
      expect(result).toEqual({ counts: times, pages: times, tasks: times, snapshots });
      expectVerdicts(goals, 6);
    },
    PATIENCE_MS,
  );

  it.each([['without'], ['with', '--private']])(
    'check a log %s private halves, and keep only its open tasks',
    async (_, ...halves) => {
      const { machine: _machine, ...result } = await bench('check', '--tasks', '2000', '--open', '50', ...halves);
      expect(result).toMatchObject({ events: 6_001, faults: 0, mostOpen: 51, perSecond: rate, goal: rate });
    },
    PATIENCE_MS,
  );

  it(
    'search by every term',
    async () => {
      const { result, goals } = await bench('search', '--tasks', '6000', '--repeat', '1');
      const answer = expect.anything();
      for (const search of result.searches)
        expect(search).toEqual({ q: expect.any(String), answer, median: rate, longest: rate });
      const refused = result.searches.filter((search: { answer: unknown }) => typeof search.answer === 'string');
      expect(refused.map(({ q }: { q: string }) => q)).toContain('kind:letter');
      expectVerdicts(goals, 2);
    },
    PATIENCE_MS,
  );

  it(
    'put failures into groups, and make these anew',
    async () => {
      const { result, goals } = await bench('failures', '--failures', '2000', '--messages', '100', '--looks', '2');
      const lists = { latest: rate, most: rate, group: rate, tasks: rate, metrics: rate };
      expect(result).toMatchObject({ groups: 100, counted: 2_000, lists, rebuild: { differing: 0 } });
      expectVerdicts(goals, 5);
    },
    PATIENCE_MS,
  );

  it(
    'look into idle queues, and begin with the past',
    async () => {
      const sizes = ['--triggers', '4', '--every', '1', '--seconds', '3', '--past', '3000'];
      const { result, goals } = await bench('triggers', ...sizes);
      const began = { perSecond: rate, seconds: rate, told: 1 };
      expect(result).toMatchObject({ triggers: expect.any(Number), past: { failed: began, elsewhere: began } });
      expectVerdicts(goals, 3);
    },
    PATIENCE_MS,
  );

  it(
    'retry many tasks in one call',
    async () => {
      const { result, goals } = await bench('operations', '--tasks', '600', '--repeat', '1');
      expect(result).toMatchObject({ postgres: { median: rate }, eventstoredb: { median: rate } });
      expectVerdicts(goals, 2);
    },
    PATIENCE_MS,
  );

  it(
    'share one queue among API processes',
    async () => {
      const { scale, goals } = await bench('peers', '--quick', '--tasks', '800', '--works', 'scale');
      const names = ['1', '1, with keys', '2', '2, with keys', '4', '4, with keys'];
      expect(scale.map(({ name }: { name: string }) => name)).toEqual(names);
      const claimer = { tasks: expect.any(Number), claims: expect.any(Number) };
      expect(scale.at(-1)).toMatchObject({ enqueue: rate, drain: rate, claimers: Array(4).fill(claimer) });
      // One that starts late may find nothing left.
      expect(scale.at(-1).claimers).toContainEqual(expect.objectContaining({ p50: rate, p99: rate }));
      expectVerdicts(goals, 14);
    },
    PATIENCE_MS,
  );

  it(
    'measure what event streams cost',
    async () => {
      const sizes = ['--streams', '3', '--events', '1000', '--seconds', '1', '--rounds', '1'];
      const { result, goals } = await bench('streams', ...sizes);
      const times = { p50: rate, p99: rate, count: 100 };
      const round = { without: times, readingBack: times, following: times, secondsToCatchUp: rate };
      expect(result).toEqual({ rounds: [round] });
      expectVerdicts(goals, 2);
    },
    PATIENCE_MS,
  );

  it(
    'append to EventStoreDB beside its client, and run lives of tasks there',
    async () => {
      const size = ['--events', '60', '--tasks', '20', '--transactions', '10', '--repeat', '1'];
      const { appends, lives, transactions, goals } = await bench('eventstoredb', ...size);
      const beside = { raw: rate, adapter: rate, share: rate };
      expect(appends).toEqual({ 'one after the other': beside, '100 callers': beside, '500 callers': beside });
      expect(lives).toMatchObject({ enqueue: rate, drain: rate, life: rate, share: rate, node: rate, postgres: rate });
      expect(lives).toMatchObject({ singleEnqueue: rate, singleRatio: rate });
      const spread = { p50: rate, p99: rate, p999: rate, longest: rate };
      expect(transactions).toMatchObject({ transaction: spread, beside: spread, index: spread, enqueued: rate });
      expectVerdicts(goals, 7);
    },
    PATIENCE_MS,
  );

  it(
    'read a store that others write to, and enqueue beside them',
    async () => {
      const size = ['--own', '5', '--foreign', '20', '--rate', '20', '--seconds', '1', '--settle', '0'];
      const { goals, ...result } = await bench('foreign', ...size);
      const reads = { followed: rate, first: rate, again: rate, afterRestart: rate, since: rate, restart: rate };
      const costs = { enqueue: rate, append: rate, node: expect.anything(), postgres: expect.anything() };
      expect(result).toMatchObject({
        ...reads,
        alone: costs,
        beside: costs,
        ratio: rate,
        rawRatio: rate,
        rebuild: rate,
      });
      expectVerdicts(goals, 7);
    },
    PATIENCE_MS,
  );

  it(
    'put a service under load',
    async () => {
      const { result, goals } = await bench('soak', '--minutes', '0.03');
      expect(result.windows).toHaveLength(3);
      expect(result.windows[2]).toMatchObject({ cost: { service: rate, postgres: rate }, yardstickMs: rate });
      expect(result).toMatchObject({ tasks: rate, walBytesPerTask: rate, commitsPerTask: rate });
      expect(result.tables.map(({ name }: { name: string }) => name)).toContain('segments');
      expectVerdicts(goals, 3);
    },
    PATIENCE_MS,
  );

  it(
    'measure the read side beside a writer, and miss no event',
    async () => {
      const sizes = ['--tasks', '200', '--events', '600', '--writers', '1'];
      const { result, goals } = await bench('projections', ...sizes);
      expect(result.log.written).toBeGreaterThanOrEqual(600);
      expect(result.log.seen).toBe(result.log.written);
      expect(Object.keys(result.lag)).toEqual(expect.arrayContaining(['queue-stats', 'worker-roster']));
      expect(result.rebuilds).toMatchObject({ tasks: rate, all: rate });
      expectVerdicts(goals, 4);
    },
    PATIENCE_MS,
  );
});
