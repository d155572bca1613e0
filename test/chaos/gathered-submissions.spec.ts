import { expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import type { Json } from '../../src/domain/kernel/json.js';
import { gatheredViolations } from '../support/history/gathered.js';
import { type History, Log } from '../support/history/history.js';

const TASK = '0198c0de-0000-7000-8000-000000000001';
const gathers = { until: '2026-03-01T10:00:00.000Z', all: true };

const recorded = (position: number, type: string, payload: Json, more: object = {}): RecordedEvent =>
  ({
    position: BigInt(position),
    stream: `task-${TASK}`,
    revision: position,
    event: { type, version: 1, data: { queue: 'q', payload, ...more } },
    envelope: { actor: 'a', correlationId: 'c' },
  }) as unknown as RecordedEvent;

const FIRST = recorded(1, 'TaskEnqueued', [{ submission: 'one' }], { gathers });
const second = (position: number) => recorded(position, 'TaskSubmissionGathered', { submission: 'two' });

/** What is found if the service said of the second submission that it is in the task, at position 2. */
function found(...events: readonly RecordedEvent[]): string[] {
  const answer = { id: TASK, position: '2' };
  const operations = [{ kind: 'enqueue', taskId: 'two', queue: 'q', key: 'k', outcome: 'ok', answer }] as const;
  const history = { operations, events } as unknown as History;
  return [...gatheredViolations(history, new Log(events))].map(({ says }) => says);
}

it('the checker finds a gathered submission that is lost, elsewhere, or recorded twice', () => {
  expect(found(FIRST, second(2))).toEqual([]);
  const missed = [`Expected submission 'two' in task '${TASK}', at position 2`];
  expect(found(FIRST)).toEqual(missed);
  expect(found(FIRST, second(3))).toEqual(missed);
  expect(found(FIRST, second(2), second(3))).toEqual(["Expected submission 'two' in one task, once"]);
});
