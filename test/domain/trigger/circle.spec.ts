import { describe, expect, it } from '@jest/globals';
import { circleThrough } from '../../../src/domain/trigger/circle.js';
import type { TriggerDefinition } from '../../../src/domain/trigger/trigger.events.js';

const KINDS = ['event', 'queue', 'cron'] as const;

const trigger = (kind: (typeof KINDS)[number], from: string, to: string): TriggerDefinition => {
  const common = { description: '', task: { queue: to } };
  if (kind === 'event') return { ...common, event: { types: ['TaskEnqueued'], queue: from } };
  if (kind === 'queue') return { ...common, queue: from, batchSize: 1, every: 1 };
  return { ...common, cron: '* * * * *', timeZone: 'UTC', missed: 'latest' };
};

describe('a circle of triggers', () => {
  it.each([
    ['event', 'event'],
    ['event', 'queue'],
    ['queue', 'event'],
    ['queue', 'queue'],
  ] as const)('is found from the last trigger that closes it: %s, then %s', (first, last) => {
    expect(circleThrough(trigger(last, 'b', 'a'), [trigger(first, 'a', 'b')])).toEqual(['b', 'a']);
    expect(circleThrough(trigger(last, 'c', 'a'), [trigger(first, 'a', 'b')])).toBeNull();
  });

  it.each(['event', 'queue'] as const)('may be one trigger: %s', (kind) => {
    expect(circleThrough(trigger(kind, 'a', 'a'), [])).toEqual(['a']);
  });

  it('needs triggers that queues set off, and that make tasks', () => {
    const mail: TriggerDefinition = {
      event: { types: ['TaskFailed'], queue: 'b' },
      description: '',
      mail: { to: ['a@b.c'] },
    };
    expect(circleThrough(trigger('cron', 'b', 'a'), [trigger('event', 'a', 'b')])).toBeNull();
    expect(circleThrough(mail, [trigger('event', 'a', 'b')])).toBeNull();
  });

  it('never comes about, and nothing else is refused: random triggers', () => {
    const random = sequence(7);
    for (let run = 0; run < 300; run++) {
      const taken: TriggerDefinition[] = [];
      for (let n = 0; n < 12; n++) {
        const [from, to] = [`q${random(6)}`, `q${random(6)}`];
        const next = trigger(KINDS[random(KINDS.length)]!, from, to);
        const isRefused = circleThrough(next, taken) !== null;
        expect(isRefused).toBe(!dries([...taken, next]));
        if (!isRefused) taken.push(next);
      }
    }
  });
});

/** Whether tasks die out: queues that no task reaches any more can be taken away until none is left. */
function dries(triggers: readonly TriggerDefinition[]): boolean {
  let leads = triggers.flatMap((one) => {
    if ('event' in one && 'task' in one) return [[one.event.queue!, one.task.queue] as const];
    return 'queue' in one ? [[one.queue, one.task.queue] as const] : [];
  });
  for (let before = -1; before !== leads.length;) {
    before = leads.length;
    leads = leads.filter(([from]) => leads.some(([, to]) => to === from));
  }
  return leads.length === 0;
}

/** The same numbers in every run (a linear congruential generator). */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
}
