import type { EventOf, EventType } from '../../src/domain/events.js';
import { event, eventInPlace } from '../../src/domain/kernel/event-declaration.js';
import type { OfAttempt, TaskEvent } from '../../src/domain/task/task.events.js';

/** What a declaration must contain. Each line without it does not compile. */
export const declarations = {
  complete: event<{ readonly queue: string }>({ version: 1, effects: [] }),
  // @ts-expect-error its effects are not declared
  withoutEffects: event<{ readonly queue: string }>({ version: 1 }),
  // @ts-expect-error no such effect
  unknownEffect: event<{ readonly queue: string }>({ version: 1, effects: ['offers-rest'] }),
  // @ts-expect-error its data never name a key
  keyThatIsNotNamed: event<{ readonly queue: string }>({ version: 1, effects: ['frees-named-key'] }),
  // @ts-expect-error its version is not declared
  withoutVersion: event<{ readonly queue: string }>({ effects: [] }),
  // @ts-expect-error nothing reads its first version
  withoutUpcaster: event<{ readonly queue: string }, 2>({ version: 2, effects: [] }),
  // @ts-expect-error it is not declared whether the worker reported it
  withoutReporter: eventInPlace<OfAttempt>({ version: 1, effects: [] }),
  later: event<{ readonly queue: string }, 2>({ version: 2, effects: [], upcasters: { 1: (data) => data } }),
};

/** An event that is not in the catalogue cannot be recorded. */
export const recorded = (): TaskEvent =>
  // @ts-expect-error no such event is declared
  ({ type: 'TaskUndeclared', version: 1, data: { queue: 'mail' } });

/** Code that handles events by type can have a rule for each of them. */
export const rules: { readonly [T in EventType]?: (data: EventOf<T>['data']) => string } = {
  TaskReleased: ({ by }) => by,
  // @ts-expect-error no such event is declared
  TaskUndeclared: () => '',
};
