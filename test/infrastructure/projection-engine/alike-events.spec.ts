import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { segmentsOf } from '../../../src/application/kernel/log-segment.js';
import { AlikeRuns, type AlikeEvents } from '../../../src/infrastructure/projection-engine/alike-events.js';
import { type AnyRule, ruleFor } from '../../../src/projections/kernel/projection.js';
import { increment, type RowChange } from '../../../src/projections/kernel/row-change.js';
import type { Table } from '../../../src/projections/kernel/table.js';
import { FOLLOWED } from '../../../src/projections/read-models.js';

const EVENT = { type: 'TaskClaimed', version: 1 } as const;
const boxes: Table<'box', 'n'> = { name: 'boxes', key: { box: 'text' }, columns: { n: 'int' } };

describe('runs of events that make the same changes', () => {
  it.each(FOLLOWED)('make what the rules of $name make of each event by itself', (projection) => {
    const rule = ruleFor(projection, EVENT)!;
    fc.assert(
      fc.property(fc.array(claim, { minLength: 1, maxLength: 30 }), (data) => {
        expect(eachOf(runsOf(rule, data))).toEqual(data.map((one) => rule(occurrence(one))));
      }),
    );
  });

  it('are one for the tasks of a request, which differ in what no rule reads', () => {
    const rule = counting(({ box }) => ({ box, n: 1 }));
    const data = Array.from({ length: 50 }, (_, at) => ({ box: 'a', token: String(at) }));
    const [run, ...others] = runsOf(rule, data);
    expect({ count: run!.count, others }).toEqual({ count: 50, others: [] });
  });

  it('end where a member is absent, though another event has it undefined', () => {
    const rule = counting((data) => ({ box: 'box' in data ? 'named' : 'none', n: 1 }));
    expect(runsOf(rule, [{ box: undefined }, { box: undefined }, {}]).map(({ count }) => count)).toEqual([2, 1]);
  });

  it('end after every event if the rule reads all members, whatever they are called', () => {
    const rule = counting((data) => ({ box: Object.keys({ ...data }).join(), n: Object.keys(data).length }));
    const data = [{ a: 1 }, { a: 1 }, { a: 1, b: 2 }];
    expect(eachOf(runsOf(rule, data))).toEqual(data.map((one) => rule(occurrence(one))));
  });

  it('end after every event if the rule reads where the event was recorded', () => {
    const rule: AnyRule = ({ position }) => [increment(boxes, { box: String(position) }, { add: { n: 1 } })];
    const changes = eachOf(
      runsOf(
        rule,
        Array.from({ length: 9 }, () => ({ box: 'a' })),
      ),
    );
    expect(changes.map(([change]) => change!.key['box'])).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });
});

function runsOf(rule: AnyRule, data: readonly object[]): AlikeEvents[] {
  const [segment] = segmentsOf(data.map(recorded));
  const runs = new AlikeRuns(rule, segment!, data);
  const found: AlikeEvents[] = [];
  for (let at = 0; at < data.length; at += found.at(-1)!.count) found.push(runs.from(at));
  return found;
}

const eachOf = (runs: readonly AlikeEvents[]): (readonly RowChange[])[] =>
  runs.flatMap(({ changes, count }) => Array.from({ length: count }, () => changes));

const counting =
  (of: (data: Record<string, unknown>) => { box: unknown; n: number }): AnyRule =>
  ({ event }) => {
    const { box, n } = of(event.data as Record<string, unknown>);
    return [increment(boxes, { box: box as string }, { add: { n } })];
  };

const occurrence = (data: object) => ({
  recordedAt: '2026-11-21T08:00:00.000Z',
  event: { ...EVENT, data },
  stream: 's',
  position: 1n,
});

const recorded = (data: object, at: number): RecordedEvent => ({
  ...occurrence(data),
  position: BigInt(at + 1),
  revision: at,
  id: String(at),
  envelope: { actor: 'a', correlationId: 'c' },
});

const claim = fc.record(
  {
    queue: fc.constantFrom('q', 'r'),
    worker: fc.constantFrom('w', 'job:1'),
    server: fc.constantFrom('s', 't'),
    waitedMs: fc.constantFrom(0, 3, 4, 1_000),
    token: fc.nat(9).map(String),
    attempt: fc.nat(2),
  },
  { requiredKeys: ['queue', 'worker', 'waitedMs', 'token', 'attempt'] },
);
