import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Paint } from '@waybill/cli/terminal';
import type { Progress } from './ingest.js';
import { progressOn, type ProgressView } from './progress.js';

const progress = (more: Partial<Progress>): Progress => ({
  succeeded: 0,
  failed: 0,
  failuresByClass: {},
  open: 0,
  scanning: false,
  beside: [],
  ...more,
});

describe('the progress without a terminal', () => {
  let now: number;
  let written: string[];
  let view: ProgressView;

  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    written = [];
    const stream = { write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
    view = progressOn(stream, {} as Paint);
  });
  afterEach(() => void jest.restoreAllMocks());

  const showAt = (ms: number, more: Partial<Progress>): void => {
    now = ms;
    view.show(progress(more));
  };

  it('is a line every three seconds', () => {
    for (const ms of [0, 2_999, 3_000, 3_001, 5_999, 6_000]) showAt(ms, { succeeded: ms });
    expect(written).toEqual(['  3 000 of 3 000 tasks · 1 000/s · 0 ms left\n', expect.stringContaining('6 000 of ')]);
  });

  it('reports how much is done and left, how fast, and what failed', () => {
    showAt(0, {});
    showAt(4_000, { succeeded: 1_998, failed: 2, failuresByClass: { business: 2 }, open: 500 });
    expect(written).toEqual(['  2 000 of 2 500 tasks · 500/s · failed: 2 business · 1.0 s left\n']);
  });

  it('reports the progress of the other queues', () => {
    showAt(0, {});
    showAt(4_000, { succeeded: 4, beside: ['archive-mirror 3 of 6'] });
    expect(written).toEqual(['  4 of 4 tasks · 1/s · 0 ms left · archive-mirror 3 of 6\n']);
  });

  it('estimates no end while files are still being found, or nothing is done', () => {
    showAt(0, {});
    showAt(3_000, { open: 7 });
    showAt(6_000, { succeeded: 6, open: 4, scanning: true });
    expect(written).toEqual(['  0 of 7 tasks · 0/s · scanning\n', '  6 of 10+ tasks · 1/s · scanning\n']);
  });

  it('estimates by the rate of the last seconds', () => {
    showAt(0, {});
    showAt(3_000, { succeeded: 3_000 });
    showAt(6_000, { succeeded: 3_000 });
    showAt(9_000, { succeeded: 3_060, open: 100 });
    expect(written.at(-1)).toBe('  3 060 of 3 160 tasks · 10/s · 10 s left\n');
  });
});

it('the progress on a terminal leaves out what does not fit', () => {
  const written: string[] = [];
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 80,
    cursorTo: () => true,
    clearLine: () => true,
  });
  stream.on('data', (text) => written.push(String(text)));
  const paint = { dim: String, green: String, bold: String } as unknown as Paint;
  const view = progressOn(stream as unknown as NodeJS.WriteStream, paint);
  const beside = ['archive-mirror 40 of 40', 'archive-seal 6 of 6'];
  view.show(progress({ succeeded: 26_982, failed: 13, failuresByClass: { business: 13 }, open: 5_554, beside }));
  view.end();
  const line = written.find((text) => text.includes('26 995'))!;
  expect(line).toMatch(/26 995 of 32 549 tasks · .*failed: 13 business/);
  expect(line.trimEnd().length).toBeLessThanOrEqual(80);
});
