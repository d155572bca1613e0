import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_POLICY } from '../../src/domain/queue/queue.policy.js';
import type { TaskEvent } from '../../src/domain/task/task.events.js';
import type { AttendanceEvent } from '../../src/domain/attendance/attendance.events.js';
import type { Recorded } from '../../src/projections/kernel/event-log.port.js';
import { absencesIn, workersAfter } from '../../src/projections/task-why/past-attendance.js';
import { activityOf, readyPieces } from '../../src/projections/task-why/wait/activity.js';
import { joined, type Piece, pieceOf, sumsOf } from '../../src/projections/task-why/wait/intervals.js';
import { cutsIn, type Mark, spansOf } from '../../src/projections/task-why/wait/spans.js';

const iso = (time: number): string => new Date(time).toISOString();
const [OWN, OTHER] = ['019a7f3e-6c1b-7d44-9e21-000000000001', '019a7f3e-6c1b-7d44-9e21-000000000002'];

/** Events of a task as tests name them; only what the rules look at. */
function recorded(type: string, position: number, time: number, task = OWN, data: object = {}): Recorded<TaskEvent> {
  const claim = { attempt: 1, worker: 'w', server: 's', claimedAt: iso(time), ...data };
  const event = { type, version: 1, data: type === 'TaskClaimed' ? claim : data } as unknown as TaskEvent;
  const envelope = { actor: 'a' };
  return {
    position: BigInt(position),
    stream: `task-${task}`,
    revision: 0,
    id: '',
    recordedAt: iso(time),
    event,
    envelope,
  };
}

const STEPS: readonly (readonly [type: string, data?: object])[] = [
  ['TaskClaimed'],
  ['TaskReturned'],
  ['TaskHeld', { from: 'pending' }],
  ['TaskReleased'],
  ['TaskDataRecorded'],
  ['TaskFailed', { from: 'pending' }],
  ['TaskRetried', { from: 'failed' }],
  ['TaskDecisionRequested'],
];

/** Histories in any order, with clocks that are set back. */
const histories = fc
  .array(fc.tuple(fc.constantFrom(...STEPS), fc.integer({ min: -50, max: 100 })), { maxLength: 30 })
  .map((steps) => {
    let time = 1_000;
    return [
      recorded('TaskEnqueued', 1, time),
      ...steps.map(([[type, data], ms], at) => recorded(type, 2 + at, (time = Math.max(0, time + ms)), OWN, data)),
    ];
  });

const policies = fc.constantFrom(
  DEFAULT_POLICY,
  { ...DEFAULT_POLICY, maxRunning: 1 },
  { ...DEFAULT_POLICY, concurrency: 'serial' as const },
  { ...DEFAULT_POLICY, concurrency: { perServer: 1 } },
);

const length = (pieces: readonly Piece[]): number => pieces.reduce((sum, { from, until }) => sum + until - from, 0);

/** They follow on each other without gap or overlap, and none is empty. */
function expectWhole(pieces: readonly Piece[], from: number, until: number): void {
  let at = from;
  for (const piece of pieces) {
    expect(piece.from).toBe(at);
    expect(piece.until).toBeGreaterThan(piece.from);
    at = piece.until;
  }
  expect(at).toBe(until);
}

describe('the times in which a task waited', () => {
  it('H-13 follow on each other, whatever the clock did, and their cuts lie within them', () => {
    const marks = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 3_000 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(histories, marks, (history, others) => {
        const end: Mark = { position: 1_000n, time: 5_000 };
        const changes = others.map(([position, time]): Mark => ({ position: BigInt(position), time }));
        let last = 0;
        for (const span of spansOf(history, end)) {
          expect(span.from.time).toBeGreaterThanOrEqual(last);
          expect(span.until.time).toBeGreaterThan(span.from.time);
          last = span.until.time;
          const cuts = cutsIn(span, changes);
          const pieces = cuts.map(({ time }, at) => pieceOf(time, cuts[at + 1]?.time ?? span.until.time, []));
          expectWhole(pieces, span.from.time, span.until.time);
        }
      }),
    );
  });

  it('begins with the submission and ends with the claim, which counts as of the time that it names', () => {
    const claim = recorded('TaskClaimed', 3, 4_700, OWN, { claimedAt: iso(4_500), attempt: 1 });
    const [span, ...more] = spansOf([recorded('TaskEnqueued', 1, 1_000), claim], { position: 9n, time: 9_000 });
    expect(span).toEqual({
      from: { position: 1n, time: 1_000 },
      until: { position: 3n, time: 4_500 },
      attempt: 1,
      isOpen: false,
    });
    expect(more).toEqual([]);
  });

  it('leaves out when it had failed, and goes on to the end if it still waits', () => {
    const history = [
      recorded('TaskEnqueued', 1, 1_000),
      recorded('TaskClaimed', 2, 2_000),
      recorded('TaskAttemptFailed', 3, 3_000),
      recorded('TaskFailed', 4, 3_000, OWN, { from: 'running' }),
      recorded('TaskRetried', 5, 8_000, OWN, { from: 'failed' }),
    ];
    const spans = spansOf(history, { position: 9n, time: 9_000 });
    expect(spans.map(({ from, until, attempt }) => [from.time, until.time, attempt])).toEqual([
      [1_000, 2_000, 1],
      [8_000, 9_000, 2],
    ]);
  });
});

/** Unattended and attended in turn, each so many milliseconds after the one before. Nobody had asked for 100 s. */
function crossings(...steps: readonly number[]): readonly Recorded<AttendanceEvent>[] {
  let time = 0;
  return steps.map((ms, at) => {
    time += ms;
    const since = time < 100_000 ? null : iso(time - 100_000);
    return crossing(at % 2 === 0 ? { queue: 'q', since } : { queue: 'q', worker: 'w' }, time);
  });
}

const crossing = (data: object, time: number) =>
  recorded(
    'since' in data ? 'QueueUnattended' : 'QueueAttended',
    1,
    time,
    OWN,
    data,
  ) as unknown as Recorded<AttendanceEvent>;

describe('what the log says of the workers of a queue', () => {
  it('H-12 is nothing before its first absence', () => {
    expect(workersAfter([])).toEqual({
      workers: { lastPolledAt: null, lacking: null },
      untold: ['lastPolledAt', 'unattended'],
    });
  });

  it('H-12 is since when nobody asked, and that somebody asked again', () => {
    const [gone, back] = crossings(200_000, 50_000);
    expect(workersAfter([gone!])).toEqual({
      workers: { lastPolledAt: iso(100_000), lacking: { step: null } },
      untold: [],
    });
    expect(workersAfter([gone!, back!])).toEqual({
      workers: { lastPolledAt: null, lacking: null },
      untold: ['lastPolledAt'],
    });
  });

  it('H-12 is not known of one task if workers asked for others', () => {
    const others = crossing({ queue: 'q', since: iso(190_000) }, 200_000);
    expect(workersAfter([others]).untold).toEqual(['lastPolledAt', 'unattended']);
    expect(absencesIn([others])).toEqual([]);
  });
});

describe('a wait in which nothing kept the task', () => {
  const events = fc
    .array(
      fc.tuple(
        fc.constantFrom('TaskClaimed', 'TaskSucceeded', 'TaskReturned'),
        fc.integer({ min: 2, max: 5 }),
        fc.integer({ min: -50_000, max: 200_000 }),
      ),
      { maxLength: 30 },
    )
    .map((steps) => {
      let time = 0;
      return steps.map(([type, task, ms], at) =>
        recorded(type, at + 1, (time = Math.max(0, time + ms)), `019a7f3e-6c1b-7d44-9e21-00000000000${task}`),
      );
    });
  const times = fc.integer({ min: 0, max: 1_000_000 });

  const absences = fc
    .array(fc.integer({ min: 0, max: 300_000 }), { maxLength: 6 })
    .map((steps) => absencesIn(crossings(...steps)));

  it('H-13 is split without a rest, by what workers did', () => {
    fc.assert(
      fc.property(
        events,
        policies,
        times,
        times,
        times,
        times,
        absences,
        (happened, policy, one, two, three, four, gone) => {
          const [from, until] = [Math.min(one, two), Math.max(one, two) + 1];
          const known = activityOf([], happened, { from: Math.min(three, four), until: Math.max(three, four) }, gone);
          const pieces = readyPieces(OWN, { from, until }, policy, known);
          expectWhole(pieces, from, until);
          const intervals = joined(pieces);
          expectWhole(intervals, from, until);
          expect(length(intervals)).toBe(until - from);
          expect(sumsOf(intervals).reduce((sum, { ms }) => sum + ms, 0)).toBe(until - from);
        },
      ),
    );
  });

  const causes = (happened: readonly Recorded<TaskEvent>[], policy = DEFAULT_POLICY) => {
    const known = activityOf([], happened, { from: 0, until: 1_000_000 });
    return joined(readyPieces(OWN, { from: 0, until: 500_000 }, policy, known)).map(
      ({ because, from, until, claims }) => [because, from, until, claims],
    );
  };

  it('is behind others while workers had them, and for a minute after they got one', () => {
    const claim = recorded('TaskClaimed', 1, 100_000, OTHER);
    expect(causes([claim, recorded('TaskSucceeded', 2, 110_000, OTHER)])).toEqual([
      ['worker', 0, 100_000, 0],
      ['behind', 100_000, 160_000, 1],
      ['worker', 160_000, 500_000, 0],
    ]);
    expect(causes([claim, recorded('TaskSucceeded', 2, 300_000, OTHER)])).toEqual([
      ['worker', 0, 100_000, 0],
      ['behind', 100_000, 300_000, 1],
      ['worker', 300_000, 500_000, 0],
    ]);
  });

  it('is without a free slot while the limit of the queue is reached', () => {
    const happened = [recorded('TaskClaimed', 1, 100_000, OTHER), recorded('TaskSucceeded', 2, 300_000, OTHER)];
    expect(causes(happened, { ...DEFAULT_POLICY, maxRunning: 1 }).map(([because]) => because)).toEqual([
      'worker',
      'no-slot',
      'worker',
    ]);
  });

  it('H-12 is unattended where the log has it that nobody asked', () => {
    const known = activityOf([], [], { from: 0, until: 500_000 }, absencesIn(crossings(200_000, 100_000)));
    const pieces = joined(readyPieces(OWN, { from: 0, until: 500_000 }, DEFAULT_POLICY, known));
    expect(pieces.map(({ from, until, reason }) => [from, until, reason])).toEqual([
      [0, 100_000, { because: 'worker', unattended: false, lastPolledAt: null }],
      [100_000, 300_000, { because: 'worker', unattended: true, lastPolledAt: iso(100_000) }],
      [300_000, 500_000, { because: 'worker', unattended: false, lastPolledAt: null }],
    ]);
  });

  it('is not known where nobody looked', () => {
    const known = activityOf([], [], { from: 100, until: 300 });
    const pieces = readyPieces(OWN, { from: 0, until: 500 }, DEFAULT_POLICY, known);
    expect(pieces.map(({ because, from, until }) => [because, from, until])).toEqual([
      ['unknown', 0, 100],
      ['worker', 100, 300],
      ['unknown', 300, 500],
    ]);
  });
});
