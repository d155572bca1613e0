import { expect } from '@jest/globals';
import { type Decider, type DomainEvent, fold } from '../../src/domain/kernel/decider.js';

/**
 * A decider's test as a sentence: `given(...events).when(command).then(...events)`.
 * Events are compared exactly: a property that is undefined is not one that is absent.
 */
export const specFor = <S, C, E extends DomainEvent, R>(decider: Decider<S, C, E, R>) => {
  const given = (...history: readonly E[]) => ({
    /** The state that the history folds to. */
    state: () => fold(decider, history),

    when(command: C) {
      const decision = decider.decide(command, fold(decider, history));
      return {
        decision,
        /** Accepted, and these events recorded. */
        then(...events: readonly E[]) {
          expect(decision).toStrictEqual({ kind: 'accepted', events });
        },
        /** Accepted long since: nothing recorded. */
        thenNothing() {
          expect(decision).toStrictEqual({ kind: 'alreadyDone' });
        },
        thenRejected(rejection: R) {
          expect(decision).toStrictEqual({ kind: 'rejected', rejection });
        },
        /** The same history and whatever was just recorded, to go on from. */
        and() {
          return given(...history, ...(decision.kind === 'accepted' ? decision.events : []));
        },
      };
    },
  });
  return given;
};
