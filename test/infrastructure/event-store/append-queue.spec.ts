import { describe, expect, it } from '@jest/globals';
import type { AppendItem } from '../../../src/application/kernel/event-store.port.js';
import { AppendQueue } from '../../../src/infrastructure/postgres-event-store/append-queue.js';
import type { FlushResult } from '../../../src/infrastructure/postgres-event-store/append-results.js';

const itemOf = (stream: string): AppendItem => ({ stream, expected: -1, events: [] });
const STORED: FlushResult = { kind: 'appended', position: 1n, revision: 0, recordedAt: '2026-01-01T00:00:00.000Z' };
const PUT_OFF: FlushResult = { kind: 'put-off' };
const NOT_FOUND: FlushResult = { kind: 'refused', constraint: 'batch-not-found', batch: 'b' };

/** A queue, and the streams of each of its flushes, which `answer` answers in turn. */
function queueOf(answer: (streams: readonly string[], flush: number) => readonly FlushResult[]) {
  const flushes: string[][] = [];
  const queue = new AppendQueue(async (items) => {
    const streams = items.map(({ stream }) => stream);
    flushes.push(streams);
    return answer(streams, flushes.length);
  });
  return { append: (...streams: string[]) => queue.append(streams.map(itemOf)), flushes };
}

describe('appends that a flush puts off', () => {
  it('go alone, each in a flush of its own, and are answered as stored', async () => {
    const { append, flushes } = queueOf((streams, flush) =>
      streams.map((_, at) => (flush === 1 && at > 0 ? PUT_OFF : STORED)),
    );
    const results = await Promise.all([append('a'), append('b'), append('c')]);
    expect(results).toEqual([[STORED], [STORED], [STORED]]);
    expect(flushes).toEqual([['a', 'b', 'c'], ['b'], ['c']]);
  });

  it('take turns with those that come meanwhile', async () => {
    const late: Promise<unknown>[] = [];
    const { append, flushes } = queueOf((streams, flush) => {
      if (flush <= 3) late.push(append(`late ${flush}`));
      return streams.map(() => (flush === 1 ? PUT_OFF : STORED));
    });
    await Promise.all([append('a'), append('b'), append('c')]);
    await Promise.all(late);
    expect(flushes).toEqual([['a', 'b', 'c'], ['a'], ['late 1', 'late 2'], ['b'], ['late 3'], ['c']]);
  });

  it('take along what was refused of the same append, because it may build on them, and leave what was stored', async () => {
    const { append, flushes } = queueOf((streams, flush) =>
      flush === 1 ? [STORED, PUT_OFF, NOT_FOUND] : streams.map(() => STORED),
    );
    expect(await append('a', 'b', 'c')).toEqual([STORED, STORED, STORED]);
    expect(flushes).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]);
  });

  it('fail alone', async () => {
    const { append } = queueOf((streams, flush) => {
      if (flush > 1) throw new Error('broken');
      return streams.map((_, at) => (at > 0 ? PUT_OFF : STORED));
    });
    const [first, second] = await Promise.allSettled([append('a'), append('b')]);
    expect(first).toEqual({ status: 'fulfilled', value: [STORED] });
    expect(second).toMatchObject({ status: 'rejected', reason: { message: 'broken' } });
  });
});
