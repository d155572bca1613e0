import { describe, expect, it } from '@jest/globals';
import type { QueueHistory } from '@waybill/client';
import { render } from 'preact-render-to-string';
import { Charts } from '../src/parts/queue-charts.js';

const NONE = { count: 0, total: 0, max: 0, median: null, p95: null };
const QUIET = {
  enqueued: 0,
  claimed: 0,
  succeeded: 0,
  failed: { business: 0, application: 0, transient: 0, bug: 0 },
  retried: 0,
  lost: 0,
  waitingMs: NONE,
  processingMs: NONE,
  backlog: 0,
};
const BUSY = {
  ...QUIET,
  enqueued: 1_200,
  claimed: 9,
  succeeded: 7,
  failed: { ...QUIET.failed, business: 2 },
  waitingMs: { count: 9, total: 9_000, max: 2_000, median: 900, p95: 1_900 },
  backlog: 1_191,
};

const minute = (n: number): string => `2026-11-24T10:0${n}:00.000Z`;
const history: QueueHistory = {
  bucket: '1m',
  from: minute(0),
  to: minute(4),
  total: BUSY,
  buckets: [QUIET, BUSY, { ...QUIET, backlog: 1_191 }, { ...QUIET, backlog: 1_191 }].map((figures, at) => ({
    ...figures,
    at: minute(at),
  })),
};

describe('the charts of a queue', () => {
  const html = render(<Charts history={history} />);

  it('say in words what they show', () => {
    expect(html).toContain('aria-label="Throughput, enqueued: at most 1 200, succeeded: at most 7, failed: at most 2"');
    expect(html).toContain('aria-label="Waiting time, median: at most 900 ms, 95th percentile: at most 1.9 s"');
    expect(html).toContain('aria-label="Processing time, median: none, 95th percentile: none"');
  });

  it('tell their lines apart without colours', () => {
    const [first] = html.split('</figure>');
    const dashes = Array.from(first!.matchAll(/stroke-dasharray="([^"]+)"/g), ([, dash]) => dash);
    expect(new Set(dashes).size).toBe(3);
  });

  it('show a value between two gaps', () => {
    const waiting = html.split('</figure>')[2]!;
    expect(waiting).toMatch(/ d="M157\.3,64\.0h8"/);
  });

  it('have a table of the buckets in which something happened', () => {
    expect(html.match(/<tr>/g)).toHaveLength(2);
    expect(html).toMatch(/Backlog: pending/);
  });
});
