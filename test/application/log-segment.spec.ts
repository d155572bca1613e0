import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import {
  eventsOf,
  firstOf,
  type LogSegment,
  segmentsAfter,
  segmentsOf,
  sizeOf,
} from '../../src/application/kernel/log-segment.js';
import { type SegmentRow, StoredSegment } from '../../src/infrastructure/postgres-event-store/stored-segment.js';

const recorded = (type: string, recordedAt: string, position: number): RecordedEvent => ({
  position: BigInt(position),
  stream: `task-${position}`,
  revision: 0,
  id: `id-${position}`,
  recordedAt,
  event: { type, version: 1, data: { n: position } },
  envelope: { actor: 'a', correlationId: 'c' },
});

/** A log with gaps between positions, as in EventStoreDB. */
const log = fc
  .array(fc.tuple(fc.constantFrom('A', 'B'), fc.constantFrom('08:00', '09:00'), fc.integer({ min: 1, max: 3 })))
  .map((rows) => {
    let position = 0;
    return rows.map(([type, at, step]) => recorded(type, at, (position += step)));
  });

/** A stored segment of `n` events after a number of others. */
const stored = fc.tuple(fc.integer({ min: 1, max: 64 }), fc.nat(100)).map(([n, before]) => rowOf(n, before));

const rowOf = (n: number, before: number): SegmentRow => {
  const numbers = Array.from({ length: n }, (_, at) => before + 1 + at);
  return {
    position: String(before + 1),
    n,
    category: 'task',
    type: 'Unknown',
    version: 1,
    recorded_at: '08:00',
    meta: '{"actor":"a","correlationId":"c"}',
    shared: null,
    data: numbers.map((position) => `{"n":${position}}`).join('\n'),
    streams: `{${numbers.join(',')}}`,
    revisions: null,
    ids: `{${numbers.map((position) => `id-${position}`).join(',')}}`,
    name: null,
    private: null,
  };
};

const positions = (segments: readonly LogSegment[]): bigint[] => eventsOf(segments).map(({ position }) => position);

describe('segments of the log', () => {
  it('given a log, when it is cut into segments, then each is of one type and time, and all events are there', () => {
    fc.assert(
      fc.property(log, (events) => {
        const segments = segmentsOf(events);
        expect(eventsOf(segments)).toEqual(events);
        for (const segment of segments) {
          expect(segment.events().every(({ event }) => event.type === segment.type)).toBe(true);
          expect(segment.events().every(({ recordedAt }) => recordedAt === segment.recordedAt)).toBe(true);
          expect(segment.data).toEqual(segment.events().map(({ event }) => event.data));
        }
      }),
    );
  });

  it('given segments, when a part is taken, then it has the events that the log has there', () => {
    fc.assert(
      fc.property(log, fc.nat(60), fc.nat(30), (events, after, limit) => {
        const segments = segmentsOf(events);
        const rest = events.filter(({ position }) => position > after);
        expect(eventsOf(segmentsAfter(segments, BigInt(after)))).toEqual(rest);
        expect(eventsOf(firstOf(segments, limit))).toEqual(events.slice(0, limit));
        expect(sizeOf(segments)).toBe(events.length);
      }),
    );
  });

  it('given a stored segment, when parts of it are taken, then they are those of its events in memory', () => {
    fc.assert(
      fc.property(stored, fc.nat(70), fc.nat(70), fc.nat(200), (row, start, length, after) => {
        const segment = StoredSegment.of(row);
        const [inMemory] = segmentsOf(segment.events()) as [LogSegment];
        expect(segment.countUpTo(BigInt(after))).toBe(inMemory.countUpTo(BigInt(after)));
        expect(segment.position).toBe(inMemory.position);
        fc.pre(length > 0 && start < row.n);
        const [part, expected] = [segment.slice(start, start + length), inMemory.slice(start, start + length)];
        expect(part.events()).toEqual(expected.events());
        expect(part.data).toEqual(expected.data);
        expect([part.size, part.position]).toEqual([expected.size, expected.position]);
        expect(positions([part.slice(0, 1)])).toEqual([part.positionAt(0)]);
      }),
    );
  });
});
