import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import { NotTakenNow, StreamContentionError } from '../../src/application/kernel/application-error.js';
import { EventFiring, type Match } from '../../src/application/triggers/event-firing.js';
import type { EnqueueTasks } from '../../src/application/tasks/enqueue-tasks.handler.js';
import type { TriggerCommandOf } from '../../src/domain/trigger/trigger.commands.js';

const what = (queue: string) => ({ event: { types: ['TaskFailed'] }, description: '', task: { queue } });
const match = (trigger: string, position: number): Match => ({
  trigger,
  what: what(trigger),
  recorded: {
    position: BigInt(position),
    id: `e${position}`,
    stream: 'task-1',
    recordedAt: '2026-03-01T02:00:00.000Z',
    event: { type: 'TaskFailed', version: 1, data: {} },
    envelope: { actor: 'ann', correlationId: 'c' },
  } as unknown as RecordedEvent,
});
const matches = (trigger: string, count: number): Match[] =>
  Array.from({ length: count }, (_, n) => match(trigger, n + 1));

type Answer = (queue: string) => object | Promise<object>;
const REFUSED = { kind: 'refused', rejection: { code: 'INTAKE_CLOSED' } };
const DONE = { kind: 'done', status: 'enqueued', receipt: { id: 't' } };

function firing(answer: Answer) {
  const recorded: TriggerCommandOf<'RecordEvents'>[] = [];
  const tasks = { execute: async ({ items }: EnqueueTasks) => [await answer(items[0]!.queue)] };
  const commands = {
    runOn: async (_: object, __: string, command: TriggerCommandOf<'RecordEvents'>) => void recorded.push(command),
  };
  const states = { named: async () => null };
  const clock = { iso: () => '2026-03-01T02:00:01.000Z' };
  const firings = { have: async () => true };
  const ports = [tasks, null, commands, states, clock, firings] as unknown as ConstructorParameters<typeof EventFiring>;
  return { recorded, firing: new EventFiring(...ports) };
}

describe('event triggers', () => {
  it('do not wait for one whose task is not answered', async () => {
    const { recorded, firing: it } = firing((queue) => (queue === 'sick' ? new Promise(() => undefined) : DONE));
    void it.fire([...matches('sick', 300), ...matches('well', 300)]);
    while (recorded.reduce((sum, { outcomes }) => sum + outcomes.length, 0) < 300) await new Promise(setImmediate);
    expect(new Set(recorded.map(({ trigger }) => trigger))).toEqual(new Set(['well']));
  });

  it.each([
    ['CONTENTION', StreamContentionError],
    ['DRAINING', NotTakenNow],
  ])('finish their own part, and tell what another owes after %s', async (code, kind) => {
    const refused = { kind: 'refused', rejection: { code } };
    const { recorded, firing: it } = firing((queue) => (queue === 'sick' ? refused : DONE));
    const sick = matches('sick', 2);
    const unfired = await it.fire([...sick, ...matches('well', 120)]);
    expect(unfired).toEqual([{ rest: sick, error: expect.any(kind) }]);
    expect(recorded.flatMap(({ outcomes }) => outcomes)).toHaveLength(120);
  });

  it.each([
    ['refusals', REFUSED],
    ['firings', DONE],
  ])('record their %s together, in the order of the log', async (_, answer) => {
    const { recorded, firing: it } = firing(() => answer);
    await it.fire(matches('one', 100));
    expect(recorded.map(({ outcomes }) => outcomes.map(({ position }) => position))).toEqual([
      Array.from({ length: 100 }, (__, n) => String(n + 1)),
    ]);
  });
});
